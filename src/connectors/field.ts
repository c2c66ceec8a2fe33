/** Values of a connector's fields by name, secrets and issued tokens included. */
export type FieldValues = Readonly<Record<string, string>>;

/** A setting of a platform's connectors. */
export interface Field {
  readonly name: string;
  /** `address`: an https:// URL without query. It cannot be changed later: secrets are sent there. */
  readonly kind: 'text' | 'address' | 'secret';
  readonly required: boolean;
  /** Fields that stand in for it: it is required where one of them is missing. */
  readonly unless?: readonly string[];
  /** What a value must match, and the message where it does not. */
  readonly pattern?: { readonly matches: RegExp; readonly says: string };
  /** The value where none is given. */
  readonly fallback?: string;
  /** Milliseconds for which the former value of a secret is accepted after a change. */
  readonly graceMs?: number;
  /**
   * Whether the field, with the others marked so, identifies the account of the platform. It cannot be changed later, since the orders
   * of the first account would remain.
   */
  readonly identifies?: boolean;
}
