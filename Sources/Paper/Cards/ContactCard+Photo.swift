import Bytes

extension ContactCard {
    /// The photo the card itself holds; one that lies on the web is only an address.
    public var photo: (mediaType: String, bytes: [UInt8])? {
        get {
            for property in all("PHOTO") {
                guard property.value.hasPrefix("data:"), let comma = property.value.firstIndex(of: ",") else {
                    continue
                }
                let head = property.value[..<comma].dropFirst(5).split(separator: ";")
                guard head.last == "base64", let type = head.first,
                    let bytes = Base64.decode(String(property.value[property.value.index(after: comma)...]))
                else { continue }
                return (type.lowercased(), bytes)
            }
            return nil
        }
        set {
            let place = properties.firstIndex { $0.name == "PHOTO" }
            properties.removeAll { $0.name == "PHOTO" }
            guard let newValue else { return }
            let photo = CardProperty(
                "PHOTO", "data:\(newValue.mediaType);base64,\(Base64.encode(newValue.bytes))")
            properties.insert(photo, at: place ?? properties.count)
        }
    }
}
