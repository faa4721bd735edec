// The camera of this device, or a word for why there is none.

/**
 * The one at the back, where there are several; pictures of about this size.
 * @returns {Promise<{stream?: MediaStream, why?: "none" | "insecure" | "refused" | "busy"}>} the words of `scan.camera.…`
 */
export async function opened(width, height) {
  if (!navigator.mediaDevices?.getUserMedia) return { why: isSecureContext ? "none" : "insecure" };
  try {
    const video = { facingMode: { ideal: "environment" }, width: { ideal: width }, height: { ideal: height } };
    return { stream: await navigator.mediaDevices.getUserMedia({ audio: false, video }) };
  } catch (failure) {
    return { why: { NotAllowedError: "refused", NotReadableError: "busy" }[failure.name] ?? "none" };
  }
}
