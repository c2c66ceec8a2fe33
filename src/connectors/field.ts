/** Values of a connector's fields by name, secrets and issued tokens included. */
export type FieldValues = Readonly<Record<string, string>>;

/** One thing a connector of the platform is told. */
export interface Field {
  readonly name: string;
  /** `address`: an https:// URL without query. It cannot be changed later: secrets are sent there. */
  readonly kind: 'text' | 'address' | 'secret';
  readonly required: boolean;
  /** What texts look like, with how to say so. */
  readonly pattern?: { readonly matches: RegExp; readonly says: string };
  /** Where it is not given. */
  readonly fallback?: string;
  /** Milliseconds for which the former value of a secret is accepted after a change. */
  readonly graceMs?: number;
  /**
   * Tells, with others of its kind, which account of the platform is read. It cannot be changed later: the orders of the first
   * account would stay.
   */
  readonly identifies?: boolean;
}
