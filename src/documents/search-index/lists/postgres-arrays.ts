/**
 * Arrays in PostgreSQL's binary format (src/backend/utils/adt/arrayfuncs.c, array_send), which the driver sends unchanged.
 * As text they would take several times as long, and bytes can be transferred between threads without copying.
 */
const HEADER_BYTES = 20;
const INT4 = 23;
const BYTEA = 17;

function writeHeader(bytes: Buffer, type: number, count: number): void {
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(0, 4); // nulls: none
  bytes.writeInt32BE(type, 8);
  bytes.writeInt32BE(count, 12);
  bytes.writeInt32BE(1, 16); // of the first element
}

export function int4Array(values: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + values.length * 8);
  writeHeader(bytes, INT4, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(4, at);
    bytes.writeInt32BE(value, at + 4);
    at += 8;
  }
  return bytes;
}

export function byteaArray(values: readonly Uint8Array[]): Buffer {
  const length = values.reduce((sum, value) => sum + 4 + value.length, 0);
  const bytes = Buffer.allocUnsafeSlow(HEADER_BYTES + length);
  writeHeader(bytes, BYTEA, values.length);
  let at = HEADER_BYTES;
  for (const value of values) {
    bytes.writeInt32BE(value.length, at);
    bytes.set(value, at + 4);
    at += 4 + value.length;
  }
  return bytes;
}

/** The driver sends only Buffers unchanged, and arrays from a worker thread are plain Uint8Arrays. */
export function asParameter({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
