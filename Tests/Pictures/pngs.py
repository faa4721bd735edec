"""Pictures that tests make for themselves, without any library."""
import zlib


def png(width: int, height: int, rows: bytes) -> bytes:
    """`rows` hold three bytes for a point: red, green, blue."""
    filtered = b"".join(b"\0" + rows[start:start + 3 * width] for start in range(0, 3 * width * height, 3 * width))
    head = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
        for kind, body in [(b"IHDR", head), (b"IDAT", zlib.compress(filtered)), (b"IEND", b"")])


def of_one_colour(width: int, height: int, colour) -> bytes:
    return png(width, height, bytes(colour) * (width * height))


def sheet_on_a_table(width: int = 750, height: int = 1000) -> bytes:
    """A photo of a sheet of A4 with lines of print, somewhat turned, on a dark table."""
    left, top, wide, high, lean = 120, 90, 540, 764, 0.06
    rows = bytearray()
    for y in range(height):
        for x in range(width):
            u, v = x - left + lean * (y - top), y - top - lean * (x - left)
            light = 1 - 0.3 * x / width
            if 0 <= u < wide and 0 <= v < high:
                is_ink = 60 < u < wide - 60 and 60 < v < high - 60 and v % 22 < 7 and u % 9 < 5 and (u // 45) % 5
                level = 40 if is_ink else 235
                rows += bytes(int(part * light) for part in (level, level, level - 12 if level > 12 else level))
            else:
                rows += bytes(int(part * light) for part in (84, 58, 40))
    return png(width, height, bytes(rows))
