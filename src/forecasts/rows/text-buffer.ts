const DIGIT_0 = 48;
const POINT = 46;
/** Powers of ten that a double holds exactly and that scale a value to seven digits. */
const POWERS = Float64Array.from({ length: 14 }, (_, exponent) => Number(`1e${exponent}`));
const SCALED_DIGITS = 7;
/** Longest text of a double. */
const LONGEST_NUMBER = 25;

/** Text in the making, as UTF-8 bytes in one buffer that grows: no string is made for what is written a million times. */
export class TextBuffer {
  private bytes: Buffer;
  private length = 0;

  /** @param expected bytes of the whole text, as far as one can tell */
  constructor(expected: number) {
    this.bytes = Buffer.allocUnsafe(Math.max(64, expected));
  }

  write(piece: Uint8Array): void {
    const end = this.length + piece.length;
    if (end > this.bytes.length) this.grow(end);
    // a call of the engine costs more than a few bytes
    if (piece.length > 24) this.bytes.set(piece, this.length);
    else for (let i = 0; i < piece.length; i += 1) this.bytes[this.length + i] = piece[i]!;
    this.length = end;
  }

  /** Writes the number as JavaScript does: the shortest decimal that reads back as the same double. */
  writeNumber(value: number): void {
    if (this.length + LONGEST_NUMBER > this.bytes.length) this.grow(this.length + LONGEST_NUMBER);
    if (value >= 0 && value < 1e9 && Math.floor(value) === value) this.writeInteger(value);
    else if (value < 1e-6 || value >= 1e7 || !this.writeSevenDigits(value)) this.write(Buffer.from(String(value)));
  }

  finish(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  private writeInteger(value: number): void {
    let end = this.length + 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end += 1;
    this.length = end;
    let rest = value;
    do {
      const tens = Math.floor(rest / 10);
      this.bytes[(end -= 1)] = DIGIT_0 + rest - 10 * tens;
      rest = tens;
    } while (rest > 0);
  }

  /**
   * Writes a value from 1e-6 to below 1e7 that has at most seven significant digits. A decimal of up to fifteen digits
   * that reads back as the value is the only one, hence the shortest; dividing by an exact power of ten rounds correctly,
   * so comparing the quotient is reading back.
   * @returns false, with nothing written, where the value has more digits
   */
  private writeSevenDigits(value: number): boolean {
    let decimals = SCALED_DIGITS - 1;
    for (let bound = 10; value >= bound; bound *= 10) decimals -= 1;
    for (let bound = 1; value < bound; bound /= 10) decimals += 1;
    if (decimals >= POWERS.length) return false;
    let scaled = Math.round(value * POWERS[decimals]!);
    if (scaled / POWERS[decimals]! !== value) return false;
    while (scaled % 10 === 0) {
      scaled /= 10;
      decimals -= 1;
    }
    const whole = Math.floor(scaled / POWERS[decimals]!);
    this.writeInteger(whole);
    let fraction = scaled - whole * POWERS[decimals]!;
    this.bytes[this.length] = POINT;
    this.length += decimals + 1;
    for (let at = this.length - 1; at > this.length - 1 - decimals; at -= 1) {
      const tens = Math.floor(fraction / 10);
      this.bytes[at] = DIGIT_0 + fraction - 10 * tens;
      fraction = tens;
    }
    return true;
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(needed, Math.ceil(this.bytes.length * 1.5)));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }
}
