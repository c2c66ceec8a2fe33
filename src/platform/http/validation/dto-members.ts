import { getMetadataStorage } from 'class-validator';

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The members of a query or body in declaration order, each with its rules. */
export function rulesByMember(dto: NewableFunction): Map<string, Rule[]> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return Map.groupBy(rules, ({ propertyName }) => propertyName);
}

/** The member of a body that is an object with a member of that name. */
export function memberWith(dto: NewableFunction, name: string): string | undefined {
  return [...rulesByMember(dto).keys()].find((member) => {
    const type: unknown = Reflect.getMetadata('design:type', dto.prototype as object, member);
    return typeof type === 'function' && rulesByMember(type).has(name);
  });
}
