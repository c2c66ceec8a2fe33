import { registerDecorator } from 'class-validator';

/**
 * A validator for a single member or parameter.
 * @param faultOf what is wrong with a value, as it follows the member's name in the error; undefined if nothing is
 */
export function propertyRule(name: string, faultOf: (value: unknown) => string | undefined): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => faultOf(value) === undefined,
        defaultMessage: (input) => faultOf(input?.value) ?? 'is not valid',
      },
    });
}
