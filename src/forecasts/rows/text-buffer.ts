const DIGIT_0 = 48;
const POINT = 46;
/** Powers of ten that are exact as doubles and scale a value to seven digits. */
const POWERS = Float64Array.from({ length: 14 }, (_, exponent) => Number(`1e${exponent}`));
const SCALED_DIGITS = 7;
/** Maximum length of a double as text. */
const MAX_NUMBER_LENGTH = 25;

/** Builds text as UTF-8 bytes in one growing buffer: no strings are created for what is written a million times. */
export class TextBuffer {
  private bytes: Buffer;
  private length = 0;

  /** @param expected estimated size of the whole text in bytes */
  constructor(expected: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(64, expected));
  }

  write(piece: Uint8Array): void {
    const end = this.length + piece.length;
    if (end > this.bytes.length) this.grow(end);
    const { bytes, length } = this;
    // a native call costs more than copying a few bytes
    if (piece.length > 24) bytes.set(piece, length);
    else for (let i = 0; i < piece.length; i += 1) bytes[length + i] = piece[i]!;
    this.length = end;
  }

  /** Writes the number as JavaScript does: the shortest decimal that parses to the same double. */
  writeNumber(value: number): void {
    if (this.length + MAX_NUMBER_LENGTH > this.bytes.length) this.grow(this.length + MAX_NUMBER_LENGTH);
    if (value >= 0 && value < 1e9 && Math.floor(value) === value) this.writeInteger(value);
    else if (value < 1e-6 || value >= 1e7 || !this.writeSevenDigits(value)) this.write(Buffer.from(String(value)));
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** For values below 2^31: dividing 32-bit integers is several times faster than dividing doubles. */
  private writeInteger(value: number): void {
    let digits = 1;
    for (let bound = 10; value >= bound; bound *= 10) digits += 1;
    this.length += digits;
    this.writeDigits(value, this.length, digits);
  }

  /** Writes the last `digits` digits of a value below 2^31, zero-padded, ending before `end`. */
  private writeDigits(value: number, end: number, digits: number): void {
    const { bytes } = this;
    let rest = value | 0;
    for (let at = end - 1; at >= end - digits; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = DIGIT_0 + rest - 10 * tens;
      rest = tens;
    }
  }

  /**
   * Writes a value of at least 1e-6 and less than 1e7 with at most seven significant digits. At most one decimal of up to fifteen digits
   * parses to the value, so it is the shortest; dividing by an exact power of ten rounds correctly, so comparing the quotient amounts to
   * parsing.
   * @returns false, with nothing written, if the value has more digits
   */
  private writeSevenDigits(value: number): boolean {
    let decimals = SCALED_DIGITS - 1;
    for (let bound = 10; value >= bound; bound *= 10) decimals -= 1;
    for (let bound = 1; value < bound; bound /= 10) decimals += 1;
    if (decimals >= POWERS.length) return false;
    const rounded = Math.round(value * POWERS[decimals]!);
    if (rounded / POWERS[decimals]! !== value) return false;
    let scaled = rounded | 0; // seven digits
    for (let tens = (scaled / 10) | 0; 10 * tens === scaled; tens = (scaled / 10) | 0) {
      scaled = tens;
      decimals -= 1;
    }
    const whole = Math.floor(scaled / POWERS[decimals]!);
    this.writeInteger(whole);
    this.bytes[this.length] = POINT;
    this.length += decimals + 1;
    this.writeDigits(scaled - whole * POWERS[decimals]!, this.length, decimals);
    return true;
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.bytes.length * 1.5)));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
