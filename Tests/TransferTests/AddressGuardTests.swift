import Testing

@testable import Transfer

@Suite struct AddressGuardTests {
    @Test(
        "a public address may be reached",
        arguments: [
            "1.1.1.1", "93.184.216.34", "2606:2800:220:1::1", "2a00:1450:4001::200e", "64:ff9b::1.1.1.1",
        ])
    func publicAddresses(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressGuard.publicOnly.objection(to: address, host: "example.org") == nil)
    }

    @Test(
        "an address inside some network may not be reached, however it is written",
        arguments: [
            "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.0.1",
            "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.255.255.255",
            "240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
            "::ffff:169.254.169.254", "::127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::192.168.0.1",
            "64:ff9b:1::1",
            "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "2002:101:101::1", "3fff::1", "fc00::1",
            "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "4000::1", "5f00::1",
        ])
    func specialAddresses(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressGuard.publicOnly.objection(to: address, host: "example.org") != nil)
    }

    @Test(
        "the neighbours of a forbidden block are free",
        arguments: [
            "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255", "198.20.0.0", "223.255.255.255",
        ])
    func neighbours(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(AddressGuard.publicOnly.objection(to: address, host: "example.org") == nil)
    }

    @Test("a network or a host on the list is let through, and nothing beside it")
    func exceptions() throws {
        let network = try #require(Network("10.1.0.0/16"))
        let guardian = AddressGuard.publicOnly.allowing(networks: [network], hosts: ["NAS.example"])
        let inside = try #require(IPAddress("10.1.200.3"))
        let outside = try #require(IPAddress("10.2.0.1"))
        #expect(guardian.objection(to: inside, host: "x") == nil)
        #expect(guardian.objection(to: outside, host: "x") != nil)
        #expect(guardian.objection(to: outside, host: "nas.example") == nil)
        #expect(guardian.objection(to: outside, host: "nas.example.org") != nil)
    }

    @Test("loopback only means this machine in every spelling")
    func loopback() throws {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(AddressGuard.loopbackOnly.objection(to: try #require(IPAddress(text)), host: "x") == nil)
        }
        for text in ["1.1.1.1", "10.0.0.1", "::2"] {
            #expect(AddressGuard.loopbackOnly.objection(to: try #require(IPAddress(text)), host: "x") != nil)
        }
    }

    @Test(
        "shorthand and nonsense are not addresses",
        arguments: ["", "1", "0x7f.1", "127.1", "1.2.3.4.5", "g::1", "1.2.3.4 "])
    func nonsense(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(
        "blocks need a fitting length",
        arguments: ["10.0.0.0/33", "10.0.0.0/-1", "::/129", "10.0.0.0/", "x/8"])
    func badNetworks(_ text: String) {
        #expect(Network(text) == nil)
    }
}
