import { ValidationTypes } from 'class-validator';
import { rulesByMember } from './dto-members.js';
import { Problem } from './problem.js';

const REMARK = Symbol('remark');

/** A member of a PATCH body that only comments on the others, such as a reason: alone it changes nothing. */
export const Remark = (): PropertyDecorator => Reflect.metadata(REMARK, true);

/**
 * Refuses the body of a PATCH that changes nothing: no body, an empty object, or remarks alone. Bodies that lack a required
 * member or are no object are left to validation.
 * @param dto class of the body
 * @throws {Problem} 400 naming the members of which it must hold one
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
