/** An order of a platform, with the quantities that count rather than those first ordered. */
export interface SourceOrder {
  /** Unique among everything that the connector reads. */
  readonly id: string;
  /** When the platform last changed it: the later of two versions counts. */
  readonly updatedAt: Date;
  /** An instant, or the day `YYYY-MM-DD` if the platform knows no time. */
  readonly placed: Date | string;
  /** Quantities after cancellations and refunds; empty if the order does not count. Negative for credit notes. */
  readonly lines: readonly SourceLine[];
}

export interface SourceLine {
  readonly sku: string | null;
  /** The platform's own identifier of the product, which names the series if there is no SKU. */
  readonly productId: string | null;
  readonly name: string | null;
  readonly quantity: number;
}

/** The first text that is not blank, trimmed. */
export function firstText(...texts: readonly unknown[]): string | null {
  for (const text of texts) {
    const trimmed = typeof text === 'string' ? text.trim() : typeof text === 'number' ? String(text) : '';
    if (trimmed !== '') return trimmed;
  }
  return null;
}
