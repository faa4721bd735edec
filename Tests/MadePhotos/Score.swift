import Scanning

/// How well sheets were found in many made photos.
public struct FindingScore: Sendable {
    public private(set) var count = 0
    /// The mean of the four corners within 1 % of the diagonal, and the worst of them.
    public private(set) var meanRight = 0
    public private(set) var worstRight = 0
    /// The worst corner is off by more, and yet a picture would have been taken by it.
    public private(set) var surelyWrong = 0
    /// Sure enough for a picture to be taken by itself.
    public private(set) var sure = 0

    public init() {}

    public mutating func take(_ photo: MadePhoto) {
        count += 1
        let found = photo.raster.withView { SheetFinder.find(in: $0) }
        let isSure = (found?.confidence ?? 0) >= Finding.sure
        if isSure { sure += 1 }
        guard let truth = photo.corners else {
            if isSure { surelyWrong += 1 }
            return
        }
        let (width, height) = (Float(photo.raster.width), Float(photo.raster.height))
        let limit = 0.01 * (width * width + height * height).squareRoot()
        guard let off = found?.corners.distances(to: truth.ordered) else { return }
        if off.mean <= limit { meanRight += 1 }
        if off.worst <= limit { worstRight += 1 } else if isSure { surelyWrong += 1 }
    }

    public mutating func add(_ other: FindingScore) {
        count += other.count
        meanRight += other.meanRight
        worstRight += other.worstRight
        surelyWrong += other.surelyWrong
        sure += other.sure
    }
}
