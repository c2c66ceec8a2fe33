/** The bytes in pieces of at least `size`, except that the last may be smaller. */
export async function* inChunks(body: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  let gathered = 0;
  for await (const piece of body) {
    pieces.push(piece);
    gathered += piece.length;
    if (gathered < size) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    gathered = 0;
  }
  if (gathered > 0) yield Buffer.concat(pieces);
}
