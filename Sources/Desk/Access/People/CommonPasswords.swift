/// The passwords that are tried first. Only those long enough to be accepted otherwise; the list is short
/// because wrong guesses are slowed down and locked out anyway.
enum CommonPasswords {
    static func contains(_ password: String) -> Bool {
        let folded = password.lowercased()
        return list.contains(folded) || repeatsShortPiece(folded)
    }

    /// "aaaaaaaaaa", "abcabcabcabc", "1212121212".
    private static func repeatsShortPiece(_ text: String) -> Bool {
        let letters = Array(text)
        return (1...4).contains { length in
            letters.count > length
                && letters.indices.dropFirst(length).allSatisfy { letters[$0] == letters[$0 - length] }
        }
    }

    private static let list: Set<String> = [
        "0123456789", "0987654321", "1029384756", "123123123123", "1234554321", "123456123456", "1234567890",
        "12345678900", "12345678901", "123456789012", "123456789123", "1234567890123", "123456789987654321",
        "12345678910", "123456789a", "123456789abc", "123456789q", "123456789qwerty", "12345qwerty",
        "1234qwerasdf", "1234qwerasdfzxcv", "123qweasdzxc", "147258369", "1472583690", "1q2w3e4r5t",
        "1q2w3e4r5t6y", "1qaz2wsx3edc", "1qaz2wsx3edc4rfv", "1qazxsw23edc", "9876543210", "a123456789",
        "a1b2c3d4e5", "a1b2c3d4e5f6", "abc123456789", "abcd123456", "abcdefghij", "abcdefghijk",
        "abcdefghijklmnopqrstuvwxyz", "access1234", "administrator", "administrator1", "adminadmin",
        "admin12345", "admin123456", "alexander1", "asdfasdfasdf", "asdfghjkl1", "asdfghjkl;", "asdfghjkl;'",
        "asdfqwer1234", "azertyuiop", "baseball123", "basketball", "basketball1", "bismillah1",
        "blink182blink",
        "butterfly1", "changeme12", "changeme123", "changeme1234", "chocolate1", "christopher", "computer123",
        "correct horse battery staple", "correcthorsebatterystaple", "dragon1234", "elizabeth1",
        "facebook123",
        "football123", "football1234", "forgetmenot", "google1234", "hallo12345", "hello12345", "hello123456",
        "helloworld", "helloworld1", "hunter2hunter2", "iloveyou12", "iloveyou123", "iloveyou1234",
        "internet123", "jesuschrist", "johncena123", "letmein123", "letmein1234", "letmeinplease",
        "liverpool1",
        "liverpoolfc", "lovelovelove", "manchester", "manchester1", "manutd1234", "microsoft1", "minecraft1",
        "mynoob1234", "newpassword", "newpassword1", "p@ssw0rd12", "p@ssw0rd123", "p@ssword123",
        "pa55word123",
        "pass123456", "pass1234567", "passphrase", "passw0rd12", "passw0rd123", "passw0rd1234", "password00",
        "password01", "password10", "password11", "password12", "password123", "password123!", "password1234",
        "password12345", "password123456", "password1!", "password!1", "password2024", "password2025",
        "password2026", "passwordpassword", "passwort123", "passwort1234", "photoshop1", "pokemon123",
        "princess123", "q1w2e3r4t5", "q1w2e3r4t5y6", "qazwsxedc1", "qazwsxedcrfv", "qazxswedc123",
        "quirequire",
        "quire12345", "quire123456", "qwe123qwe123", "qweasdzxc1", "qweasdzxc123", "qwer1234qwer",
        "qwerasdfzxcv",
        "qwerty12345", "qwerty123456", "qwerty1234567890", "qwertyqwerty", "qwertyuiop", "qwertyuiop1",
        "qwertyuiop123", "qwertyuiop[]", "qwertyuiop[]\\", "qwertyuiopasdfghjklzxcvbnm", "qwertzuiop",
        "qwertzuiop1", "raspberry1", "sample12345", "samsung123", "secret1234", "secret12345", "secretsecret",
        "spiderman1", "starwars123", "starwars1977", "strawberry", "sunshine12", "sunshine123", "superman123",
        "temp123456", "test123456", "test1234567", "testpassword", "testtest123", "thisisapassword",
        "trustno1trustno1",
        "university", "unknown123", "user123456", "volleyball", "welcome123", "welcome1234", "welcome12345",
        "whatever12", "whatever123", "winter2025", "winter2026", "summer2025", "summer2026", "zaq12wsxcde3",
        "zaq1xsw2cde3", "zxcvbnm123", "zxcvbnm,./", "zxcvbnmasdfghjkl",
    ]
}
