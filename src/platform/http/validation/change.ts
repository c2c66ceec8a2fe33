import { ValidationTypes } from 'class-validator';
import { rulesByMember } from './dto-members.js';
import { Problem } from '../problem.js';

const REMARK = Symbol('remark');

/** A member of a PATCH body that only annotates the others, such as a reason: by itself it changes nothing. */
export const Remark = (): PropertyDecorator => Reflect.metadata(REMARK, true);

/**
 * Refuses a PATCH body that changes nothing: no body, an empty object, or nothing but remarks. Bodies that lack a required member
 * or are not an object are left to validation.
 * @param dto class of the body
 * @throws {Problem} 400 naming the members of which at least one is required
 */
export function requireChange(body: unknown, dto: NewableFunction): void {
  const given = body ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) return;
  const changes = (name: string): boolean => Reflect.getMetadata(REMARK, dto.prototype as object, name) !== true;
  if (Object.keys(given).some(changes)) return;
  const members = rulesByMember(dto);
  const omittable = [...members.values()].every((ofMember) =>
    ofMember.some(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION),
  );
  if (!omittable) return;
  const message = `must contain at least one of ${[...members.keys()].filter(changes).join(', ')}`;
  throw Problem.invalid([{ param: 'body', message }]);
}
