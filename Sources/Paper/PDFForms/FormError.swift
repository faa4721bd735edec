/// Why a form cannot be filled at all.
public enum FormError: Error, Sendable, Equatable, CustomStringConvertible {
    case noFields
    case dynamicXFA
    case certifiedAgainstChanges
    case fillingForbidden
    case signedAndDamaged
    case signedAndEncrypted
    case signedAndFlattened
    case nothingToMerge
    case signedAndLocked
    case signedAndReadOnly

    public var description: String {
        switch self {
        case .noFields: "The file has no form fields. Make the fields first, or use a fillable copy."
        case .dynamicXFA:
            "The form is dynamic XFA, which only Adobe's programs can show. Ask its publisher for a plain PDF form."
        case .certifiedAgainstChanges:
            "The form is certified, and its certificate forbids every change. Ask its publisher for a copy without it."
        case .fillingForbidden:
            "The form's permissions forbid filling. Open it with its owner password."
        case .signedAndDamaged:
            "The form is signed but damaged: repairing it would break the signature. Get a sound copy."
        case .signedAndEncrypted:
            "The form is signed and encrypted: filling it would break the signature. Ask its publisher for a copy that is not encrypted."
        case .nothingToMerge: "There is no record to merge, and a PDF without pages is none."
        case .signedAndFlattened:
            "The form is signed: flattening it would break the signature. Fill it without flattening."
        case .signedAndLocked:
            "The form is signed: encrypting it would break the signature. Fill it without a password."
        case .signedAndReadOnly:
            "The form is signed: making its fields read-only would break the signature. Fill it without."
        }
    }
}
