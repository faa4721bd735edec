// Bytes
