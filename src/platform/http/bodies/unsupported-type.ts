import { Problem } from '../problem.js';

/**
 * The refusal of a body because of its Content-Type. It quotes the type that was sent, since clients set one on their own: `curl
 * -d` that of a form.
 * @param taken what the route accepts, as a list in words
 */
export function unsupportedType(taken: string, sent: string | undefined): Problem {
  const received = sent === undefined || sent === '' ? 'none that is valid' : sent.slice(0, 100);
  return new Problem(
    415,
    'unsupported_media_type',
    `This route accepts the Content-Type ${taken}; the request has ${received}.`,
  );
}
