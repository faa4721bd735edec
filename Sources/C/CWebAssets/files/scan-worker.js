// Looks at the pictures of the camera beside the page: where the paper lies, and what would make the picture better. The
// module is the desk's own scanner (Sources/Paper/Scanning); its functions are told in BrowserDoor.swift there.
let scan, said, room, canvas;
let before = 0;

onmessage = async ({ data }) => {
  try {
    if (data.module) return await begin(data.module);
    if (data.again) return scan?.scan_begin();
    postMessage({ seen: look(data.picture, data.time) });
  } catch (failure) {
    postMessage({ failed: String(failure) });
  }
};

async function begin(module) {
  ({ instance: { exports: scan } } = await WebAssembly.instantiateStreaming(fetch(module)));
  scan.scan_begin();
  said = scan.scan_take(12 * 4);
  postMessage({ ready: true });
}

/** @param {ImageBitmap} picture @param {number} time in milliseconds */
function look(picture, time) {
  const { width, height } = picture;
  if (canvas?.width !== width || canvas.height !== height) {
    if (room) scan.scan_give_back(room);
    canvas = new OffscreenCanvas(width, height);
    room = scan.scan_take(width * height * 4);
  }
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(picture, 0, 0);
  picture.close();
  // The module's memory may have grown since, so what is seen of it is looked at anew.
  new Uint8Array(scan.memory.buffer, room, width * height * 4).set(context.getImageData(0, 0, width, height).data);
  scan.scan_follow(room, width, height, before ? time - before : 0, said);
  before = time;
  const numbers = new Float32Array(scan.memory.buffer, said, 12);
  return {
    corners: [0, 2, 4, 6].map((at) => [numbers[at] / width, numbers[at + 1] / height]),
    isKnown: numbers[8] === 1, confidence: numbers[9], stillFor: numbers[10], advice: numbers[11],
  };
}
