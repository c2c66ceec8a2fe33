import { ValidationPipe, type ValidationError } from '@nestjs/common';
import { memberWith, rulesByMember } from './dto-members.js';
import { type ParameterFault, Problem } from '../problem.js';

/** Validates every DTO: unknown members are refused, every error is named, nothing is coerced silently. */
export function validationPipe(): ValidationPipe {
  return new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: true,
    stopAtFirstError: true, // decorators apply bottom-up: the lowest rule, that of the type, is reported first
    validationError: { target: true, value: true }, // for the messages below; never sent to the caller as is
    exceptionFactory: (errors) => Problem.invalid(errors.flatMap((error) => faultsOf(error, ''))),
  });
}

function faultsOf(error: ValidationError, prefix: string): ParameterFault[] {
  const param = prefix === '' ? error.property : `${prefix}.${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    param,
    message: messageOf(error, rule, message),
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => faultsOf(child, param))];
}

function messageOf({ property, value, target }: ValidationError, rule: string, original: string): string {
  if (rule === 'whitelistValidation') return `is not a known parameter; ${useInsteadOf(property, target!)}`;
  const message = original.startsWith(`${property} `) ? original.slice(property.length + 1) : original;
  if (value !== undefined) return message;
  return message.startsWith('must ') ? `is required and ${message}` : 'is required';
}

/** What to use instead of an unknown member: the same within another member, or one of those known. */
function useInsteadOf(name: string, dto: object): string {
  // not `dto.constructor`: the caller may have sent a member of that name
  const { constructor } = Object.getPrototypeOf(dto) as object;
  const container = memberWith(constructor, name);
  return container === undefined
    ? `known parameters are ${[...rulesByMember(constructor).keys()].join(', ')}`
    : `it belongs in ${container}`;
}
