/** Values of a connector's fields by name, secrets and issued tokens included. */
export type FieldValues = Readonly<Record<string, string>>;

/** One thing a connector of the platform is told. */
export interface Field {
  readonly name: string;
  /** `address`: an https:// URL without query; a change of one asks for every secret anew. */
  readonly kind: 'text' | 'address' | 'secret';
  readonly required: boolean;
  /** What texts look like, with how to say so. */
  readonly pattern?: { readonly matches: RegExp; readonly says: string };
  /** Where it is not given. */
  readonly fallback?: string;
  /** Milliseconds for which the former value of a secret is accepted after a change. */
  readonly graceMs?: number;
  /** The text is part of the address that the secrets are sent to. */
  readonly addresses?: boolean;
}
