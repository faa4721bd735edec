import Bytes
import Testing

@testable import Access

@Suite("What Chromium's own authenticator sent")
struct ChromiumRecordings {
    /// Recorded once at `http://localhost:8731` with Chromium 156: `toJSON()` of a registration and of a sign-in,
    /// as they came, for each algorithm.
    static let recordings: [(registration: String, assertion: String)] = [
        (
            #"""
            {"authenticatorAttachment":"cross-platform","clientExtensionResults":{},"id":"JODAVPJVQoVFyVtdaa\#
            ByzB3MzzlUO1u0_KMaPiWniTc","rawId":"JODAVPJVQoVFyVtdaaByzB3MzzlUO1u0_KMaPiWniTc","response":{"at\#
            testationObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVikSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuo\#
            Mdl2NFAAAAAQAAAAAAAAAAAAAAAAAAAAAAICTgwFTyVUKFRclbXWmgcswdzM85VDtbtPyjGj4lp4k3pQECAyYgASFYIElXGF\#
            uN273Aodewzpw1SadHKS4dGFx1FfaMSi7sxCAEIlggdQpBh7x3GFZYN7bxaIpkCOJKmlEDQzloflgnVBFpjaw","clientDa\#
            taJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiY1hWcGNtVWdjbVZuYVhOMGNtRjBhVzl1SUd\#
            Ob1lXeHNaVzVuWlNBd01ERSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZSw\#
            ib3RoZXJfa2V5c19jYW5fYmVfYWRkZWRfaGVyZSI6ImRvIG5vdCBjb21wYXJlIGNsaWVudERhdGFKU09OIGFnYWluc3QgYSB\#
            0ZW1wbGF0ZS4gU2VlIGh0dHBzOi8vZ29vLmdsL3lhYlBleCJ9","transports":["usb"]},"type":"public-key"}
            """#,
            #"""
            {"authenticatorAttachment":"cross-platform","clientExtensionResults":{},"id":"JODAVPJVQoVFyVtdaa\#
            ByzB3MzzlUO1u0_KMaPiWniTc","rawId":"JODAVPJVQoVFyVtdaaByzB3MzzlUO1u0_KMaPiWniTc","response":{"au\#
            thenticatorData":"SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg","clientDataJSON":"eyJ0eXBl\#
            Ijoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiY1hWcGNtVWdZWE56WlhKMGFXOXVJR05vWVd4c1pXNW5aU0F3TURBd01E\#
            RSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","signature":"MEUCIQ\#
            CtpAm5HL4BY8qeiCgXI17bh34q6BqnrQ_C2L4ZxxynewIgMZ7CDIOEY6UTyjwCpx6qF2ZPA2sHJldSMWeCJcV8sdQ","user\#
            Handle":"AQIDBAUGBwg"},"type":"public-key"}
            """#
        ),
        (
            #"""
            {"authenticatorAttachment":"platform","clientExtensionResults":{},"id":"F-SMU-Jt1VhPEO1KwrW83A9R\#
            bEM5Px_6j9vFddU_xu4","rawId":"F-SMU-Jt1VhPEO1KwrW83A9RbEM5Px_6j9vFddU_xu4","response":{"attestat\#
            ionObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YViBSZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2NF\#
            AAAAAQECAwQFBgcIAQIDBAUGBwgAIBfkjFPibdVYTxDtSsK1vNwPUWxDOT8f-o_bxXXVP8bupAEBAycgBiFYICSnDQcZ6z1I\#
            FGOzNDP68GyGPjAZdjvBnWxXLvvXvSlk","clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxl\#
            bmdlIjoiY1hWcGNtVWdjbVZuYVhOMGNtRjBhVzl1SUdOb1lXeHNaVzVuWlNBd01ERSIsIm9yaWdpbiI6Imh0dHA6Ly9sb2Nh\#
            bGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","transports":["internal"]},"type":"public-key"}
            """#,
            #"""
            {"authenticatorAttachment":"platform","clientExtensionResults":{},"id":"F-SMU-Jt1VhPEO1KwrW83A9R\#
            bEM5Px_6j9vFddU_xu4","rawId":"F-SMU-Jt1VhPEO1KwrW83A9RbEM5Px_6j9vFddU_xu4","response":{"authenti\#
            catorData":"SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg","clientDataJSON":"eyJ0eXBlIjoid2\#
            ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiY1hWcGNtVWdZWE56WlhKMGFXOXVJR05vWVd4c1pXNW5aU0F3TURBd01ERSIsIm\#
            9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","signature":"hpbA7QDFbKZf\#
            T0vSkLtuWHTImJIiqhOhCp4hNS73xdnhpIt-sop4HeD0r01fbusBc2AVSQ4savXRbG3yq0k2CA","userHandle":"AQIDBA\#
            UGBwg"},"type":"public-key"}
            """#
        ),
        (
            #"""
            {"authenticatorAttachment":"platform","clientExtensionResults":{},"id":"weZkwO51iTtyytuj6NowJ2dS\#
            -q4mzUr5DM6gVvM4-5c","rawId":"weZkwO51iTtyytuj6NowJ2dS-q4mzUr5DM6gVvM4-5c","response":{"attestat\#
            ionObject":"o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVkBZ0mWDeWIDoxodDQXD2R2YFuP5K65ooYyx5lc87qDHZdj\#
            RQAAAAEBAgMEBQYHCAECAwQFBgcIACDB5mTA7nWJO3LK26Po2jAnZ1L6ribNSvkMzqBW8zj7l6QBAwM5AQAgWQEAwGNm7Is7\#
            nuo6T4InAiRvLPIAlX7giYY9rE-lI0VupV5ya1XhwhHgnfmLB8gVGxfK00Dhfy1IFpU7TSpZIWRACcM31JWmU7bKRuJZJ-Ri\#
            Od_h3qb__53E0npoOImf7Fy1gzXrTS4Uz9i6uiLnu5OFiYO1Ro43F97ZoF0PSAQMKlYqMTLAQqa3S0UOEzl6c33BqSSAYw2x\#
            pOrN5FkORzYr9tLXmBYUWS6DLlU90boUHwulmRKAPlEfYM66KKS8ePWp1F2Tt255Ig2JbAn2GD6XGQ6euy2iGo37qtP5tDGV\#
            72B8GPUpkLwvBpEIHVO9V2D4DvbDUydmLdJT-s6Uirg9yyFDAQAB","clientDataJSON":"eyJ0eXBlIjoid2ViYXV0aG4u\#
            Y3JlYXRlIiwiY2hhbGxlbmdlIjoiY1hWcGNtVWdjbVZuYVhOMGNtRjBhVzl1SUdOb1lXeHNaVzVuWlNBd01ERSIsIm9yaWdp\#
            biI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","transports":["internal"]},"typ\#
            e":"public-key"}
            """#,
            #"""
            {"authenticatorAttachment":"platform","clientExtensionResults":{},"id":"weZkwO51iTtyytuj6NowJ2dS\#
            -q4mzUr5DM6gVvM4-5c","rawId":"weZkwO51iTtyytuj6NowJ2dS-q4mzUr5DM6gVvM4-5c","response":{"authenti\#
            catorData":"SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAg","clientDataJSON":"eyJ0eXBlIjoid2\#
            ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiY1hWcGNtVWdZWE56WlhKMGFXOXVJR05vWVd4c1pXNW5aU0F3TURBd01ERSIsIm\#
            9yaWdpbiI6Imh0dHA6Ly9sb2NhbGhvc3Q6ODczMSIsImNyb3NzT3JpZ2luIjpmYWxzZX0","signature":"cabQptt7gT5a\#
            yyy4D_qYS1EwC-Nj4Bvm4VtGAoKLlWwjJfpGGMiXEiHzQ-2c0SLIDJMMgPiV0hUk1zrILYvIY7ypcbnSN6rw0ycZpK7kpIta\#
            2p-cMD0SYNyYr4vsMGvDhnz-Fgf4VTroDpFhxJ3SPG4A_FXo6KHWcnch1OFaAhqKxXwpFKcg-et6SoKaJIW-pva2NKRrIu59\#
            wJlb3-DTepT3rF8-0gn5MkXLwA2ZDE9Z1l-Tk61HrCAhW94g3VW80zRaM8sXMZL7DgJaOJ8IReoTFujdI2t3rKPZkwUq7RnN\#
            4AXiamevdLo91cRdLWqygJxc0CLzksHuZ4XjwcMo3w","userHandle":"AQIDBAUGBwg"},"type":"public-key"}
            """#
        ),
    ]
    static let party = RelyingParty(id: "localhost", name: "Quire", origins: ["http://localhost:8731"])

    @Test("is accepted whole: the key from its registration verifies its sign-in", arguments: recordings)
    func accepted(registration: String, assertion: String) throws {
        let made = try Registration(JSON(parsing: registration), for: Self.party)
        #expect(made.clientData.challenge == Array("quire registration challenge 001".utf8))
        let used = try Assertion(JSON(parsing: assertion), for: Self.party)
        #expect(used.clientData.challenge == Array("quire assertion challenge 000001".utf8))
        #expect(used.credentialID == made.credential.id)
        #expect(used.userHandle == [1, 2, 3, 4, 5, 6, 7, 8])
        try used.check(made.credential.key, storedCount: made.authenticator.signCount)
        #expect(throws: PasskeyRefusal.counterWentBack(stored: 2, sent: 2)) {
            try used.check(made.credential.key, storedCount: used.authenticator.signCount)
        }
    }

    @Test("is refused by a desk of another name", arguments: recordings)
    func refused(registration: String, assertion: String) throws {
        let other = RelyingParty(id: "desk.example", name: "Quire", origins: ["http://localhost:8731"])
        #expect(throws: PasskeyRefusal.wrongRelyingParty) {
            try Registration(JSON(parsing: registration), for: other)
        }
        #expect(throws: PasskeyRefusal.wrongRelyingParty) {
            try Assertion(JSON(parsing: assertion), for: other)
        }
    }
}
