// Looks at pictures beside the page: in the camera's film where the paper lies and what would make the picture better, in one
// that was taken what page it becomes. The module is the desk's own scanner (Sources/Paper/Scanning); its functions are told
// in BrowserDoor.swift there.
const words = 23;
/** A picture that becomes a page is looked at so large: the corners are as good, and a phone has the memory for it. */
const longest = 1600;
const looks = ["auto", "colour", "grey", "bw", "photo"];
const sizes = { a4: 1, letter: 2, card: 4, sides: 4, receipt: 6 };

let compiled, scan, said, room, canvas;
let before = 0;
/** The picture that pages were made of last. */
let photo;
let pages = Promise.resolve();

onmessage = async ({ data }) => {
  try {
    if (data.module) {
      const begun = begin(data.module);
      pages = begun.catch(() => {});
      return await begun;
    }
    if (data.again) return scan?.scan_begin();
    if (data.page) return void (pages = pages.then(() => answer(data)));
    if (data.leave) return void (pages = pages.then(leave));
    postMessage({ seen: look(data.picture, data.time) });
  } catch (failure) {
    start();
    postMessage({ failed: String(failure) });
  }
};

async function begin(address) {
  ({ module: compiled } = await WebAssembly.instantiateStreaming(fetch(address)));
  start();
  postMessage({ ready: true });
}

/** Anew after a fault, too: what the module had in hand then is not to be trusted. */
function start() {
  if (!compiled) return;
  scan = new WebAssembly.Instance(compiled).exports;
  room = canvas = photo = undefined;
  scan.scan_begin();
  said = scan.scan_take(words * 4);
}

// The module's memory may have grown in between, so what is seen of it is looked at anew each time.
const seen = (Kind, at, count) => new Kind(scan.memory.buffer, at, count);

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
  seen(Uint8Array, room, width * height * 4).set(context.getImageData(0, 0, width, height).data);
  scan.scan_follow(room, width, height, before ? time - before : 0, said);
  before = time;
  const numbers = seen(Float32Array, said, 12);
  return {
    corners: [0, 2, 4, 6].map((at) => [numbers[at] / width, numbers[at + 1] / height]),
    isKnown: numbers[8] === 1, confidence: numbers[9], stillFor: numbers[10], advice: numbers[11],
  };
}

async function answer({ page, ...wish }) {
  try {
    const made = await becomes(wish);
    postMessage({ page, made }, [made.picture]);
  } catch (failure) {
    // Not one that cannot be unpacked, but a fault of the module.
    if (failure instanceof WebAssembly.RuntimeError) start();
    postMessage({ page, failed: String(failure) });
  }
}

function leave() {
  if (photo) scan.scan_give_back(photo.room);
  photo = undefined;
}

async function unpacked(id, blob) {
  if (photo?.id === id) return photo;
  leave();
  const picture = await createImageBitmap(blob);
  const scale = Math.min(1, longest / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const paper = new OffscreenCanvas(width, height);
  const context = paper.getContext("2d", { willReadFrequently: true });
  // What is clear is paper.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  const full = [picture.width, picture.height];
  picture.close();
  const { data } = context.getImageData(0, 0, width, height);
  paper.width = paper.height = 1;
  const at = scan.scan_take(data.length);
  seen(Uint8Array, at, data.length).set(data);
  return photo = { id, room: at, width, height, full };
}

/**
 * Corners are in pixels of the whole picture, clockwise from the page's top left; without any the sheet is looked for.
 * @param {{ id: string, blob: Blob, corners?: number[][], look: string, size: string, most: number }} wish
 */
async function becomes({ id, blob, corners, look: wished, size, most }) {
  const { room: at, width, height, full } = await unpacked(id, blob);
  const [across, down] = [full[0] / width, full[1] / height];
  let given = 0, outline;
  if (corners) {
    given = scan.scan_take(8 * 4);
    seen(Float32Array, given, 8).set(corners.flatMap(([x, y]) => [x / across, y / down]));
  } else if (scan.scan_find(at, width, height, said)) outline = read();
  const page = scan.scan_page(at, width, height, given, Math.max(0, looks.indexOf(wished)), sizes[size] ?? 0, corners ? 0 : -1, most, said);
  if (given) scan.scan_give_back(given);
  const numbers = [...seen(Float32Array, said, 15)];
  const [wide, high, , turns, look] = numbers.slice(10);
  const pixels = seen(Uint8ClampedArray, page, wide * high * 4).slice();
  const print = [...seen(Uint32Array, said + 15 * 4, 8)];
  scan.scan_give_back(page);
  const isWhole = numbers[9] === 1;
  // As they lie on the paper, not as it was straightened; the page's own top left first, as it was turned.
  const found = isWhole ? [[0, 0], [width, 0], [width, height], [0, height]] : outline;
  return {
    picture: await createImageBitmap(new ImageData(pixels, wide, high)), full,
    corners: corners ?? [0, 1, 2, 3].map((place) => found[(place + 4 - turns) % 4]).map(([x, y]) => [x * across, y * down]),
    confidence: numbers[8], isWhole, look: looks[look], print, ink: ink(pixels, wide, high),
  };

  function read() {
    const numbers = seen(Float32Array, said, 8);
    return [0, 2, 4, 6].map((at) => [numbers[at], numbers[at + 1]]);
  }
}

/** Which share of a page is dark, its edge left out: shadows and desks lie there. */
function ink(pixels, wide, high) {
  const [left, top] = [Math.round(wide * 0.06), Math.round(high * 0.06)];
  let dark = 0, all = 0;
  for (let y = top; y < high - top; y += 1) {
    for (let x = left; x < wide - left; x += 1) {
      all += 1;
      if (pixels[(y * wide + x) * 4 + 1] < 140) dark += 1;
    }
  }
  return all ? dark / all : 0;
}
