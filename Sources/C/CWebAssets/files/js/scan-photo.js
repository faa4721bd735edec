// What somebody brings as a photo: whether it is one, by its first bytes and by whether it can be unpacked.

/** More than any phone takes, and than the desk unpacks. */
const mostDots = 120e6;

const ascii = (bytes, at, word) => [...word].every((sign, i) => bytes[at + i] === sign.charCodeAt(0));

/** Width and height of a JPEG stand behind one of these marks (ITU-T T.81 §B.2.2). */
function ofJPEG(view) {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const mark = view.getUint8(at + 1);
    if (mark === 0xff) { at += 1; continue; }
    if (mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark)) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += 2 + view.getUint16(at + 2);
  }
}

/** @returns {{ kind: string, size?: number[], moves?: boolean, isForeign?: boolean } | undefined} */
function known(bytes) {
  const view = new DataView(bytes.buffer);
  if (bytes.length < 12) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return { kind: "jpeg", size: ofJPEG(view) };
  if (bytes[0] === 0x89 && ascii(bytes, 1, "PNG")) return { kind: "png", size: bytes.length > 23 ? [view.getUint32(16), view.getUint32(20)] : undefined };
  if (ascii(bytes, 0, "GIF8")) return { kind: "gif", size: [view.getUint16(6, true), view.getUint16(8, true)], moves: true };
  if (ascii(bytes, 0, "RIFF") && ascii(bytes, 8, "WEBP")) return { kind: "webp", moves: ascii(bytes, 12, "VP8X") && Boolean(bytes[20] & 2) };
  if (ascii(bytes, 0, "BM")) return { kind: "bmp" };
  // Only some browsers show these; the desk reads them.
  if (ascii(bytes, 4, "ftyp") && /^(hei|hev|mif1|msf1|avi)/.test(String.fromCharCode(...bytes.slice(8, 12)))) return { kind: "heif", isForeign: true };
  if (ascii(bytes, 0, "II*\0") || ascii(bytes, 0, "MM\0*")) return { kind: "tiff", isForeign: true };
  return undefined;
}

/**
 * @param {File} file
 * @returns {Promise<{ blob: Blob, isStill?: boolean } | { why: string }>} what to take of it: of one that moves the first moment; or
 *   why it is left out
 */
export async function photo(file) {
  const bytes = new Uint8Array(await file.slice(0, 1 << 18).arrayBuffer());
  const what = known(bytes);
  if (!what) return { why: "scan.odd.none" };
  if (what.size && what.size[0] * what.size[1] > mostDots) return { why: "scan.odd.large" };
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return what.isForeign ? { blob: file } : { why: "scan.odd.damaged" };
  }
  try {
    return what.moves ? { blob: await still(picture), isStill: true } : { blob: file };
  } finally {
    picture.close();
  }
}

async function still(picture) {
  const canvas = new OffscreenCanvas(picture.width, picture.height);
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(picture, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  canvas.width = canvas.height = 1;
  return blob;
}
