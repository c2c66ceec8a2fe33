/** Values of a connector's fields by name, including secrets and issued tokens. */
export type FieldValues = Readonly<Record<string, string>>;

/** A setting of a platform's connectors. */
export interface Field {
  readonly name: string;
  /** `address`: an https:// URL without a query. It cannot be changed later, since secrets are sent there. */
  readonly kind: 'text' | 'address' | 'secret';
  readonly required: boolean;
  /** Fields that replace it: it is required if any of them is missing. */
  readonly unless?: readonly string[];
  /** The pattern of valid values, and the message for others. */
  readonly pattern?: { readonly matches: RegExp; readonly says: string };
  /** The default value. */
  readonly fallback?: string;
  /** Milliseconds for which the previous value of a secret is accepted after a change. */
  readonly graceMs?: number;
  /**
   * Whether the field is part of what identifies the account of the platform. It cannot be changed later, since the orders of the first
   * account would remain.
   */
  readonly identifies?: boolean;
}
