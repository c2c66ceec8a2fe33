import type { WorkspaceCall } from '../admission.js';
import { findKey, type Model } from '../model.js';
import type { Refusal } from '../operation.js';

/** A request of an API key that may carry an Idempotency-Key. */
export interface Repeatable {
  /** Undefined where it carries none, as those of members do. */
  readonly key: string | undefined;
  readonly body: unknown;
}

/** What the model has of the requests that came under the same Idempotency-Key. */
export interface Repetition {
  /** Of the key's use for another request. */
  readonly refusal: Refusal | undefined;
  /** Id that the reply to the same request returned. */
  readonly former: string | undefined;
  /** Has later ones repeat the reply that tells this id. */
  readonly keep: (id: string) => void;
}

export function repetitionOf(model: Model, { keyId }: WorkspaceCall, { key, body }: Repeatable): Repetition {
  if (keyId === null || key === undefined) return { refusal: undefined, former: undefined, keep: () => undefined };
  const { replies } = findKey(model, keyId)!.key;
  const request = JSON.stringify(body);
  const former = replies[key];
  return {
    refusal: former && former.request !== request ? [422, 'idempotency_key_reused'] : undefined,
    former: former?.id,
    keep: (id) => {
      replies[key] = { request, id };
    },
  };
}
