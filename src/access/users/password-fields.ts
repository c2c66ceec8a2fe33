import { IsString, MaxLength, MinLength } from 'class-validator';

/** Beyond this nobody types; hashing longer texts would only serve an attacker. */
export const LONGEST_PASSWORD = 1_024;
export const SHORTEST_PASSWORD = 12;

/** A password that is to be checked. */
export function GivenPassword(): PropertyDecorator {
  return (target, property) => {
    IsString({ message: 'must be a text' })(target, property);
    MaxLength(LONGEST_PASSWORD, { message: `must have at most ${LONGEST_PASSWORD} characters` })(target, property);
  };
}

/** A password that is to be set. */
export function NewPassword(): PropertyDecorator {
  return (target, property) => {
    GivenPassword()(target, property);
    MinLength(SHORTEST_PASSWORD, { message: `must have at least ${SHORTEST_PASSWORD} characters` })(target, property);
  };
}
