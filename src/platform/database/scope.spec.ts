import { describe, expect, it } from '@jest/globals';
import { newId } from '../ids.js';
import { admitInto, asSystem, asTenant, beforeAdmission, currentScope, type Scope } from './scope.js';

const tenant = () => ({ organizationId: newId(), workspaceId: null });
const ofTenant = (): Scope => ({ kind: 'tenant', ...tenant() });

describe('the scope of a request', () => {
  it('is undefined until the request is admitted, and applies to everything after', async () => {
    const scope = ofTenant();
    await beforeAdmission(async () => {
      expect(currentScope()).toBeUndefined();
      await Promise.resolve().then(() => admitInto(scope)); // like a guard, after which the handler is called
      expect(currentScope()).toBe(scope);
    });
    expect(currentScope()).toBeUndefined();
  });

  it('is not that of earlier look-ups', async () => {
    await beforeAdmission(async () => {
      await asSystem('key of a request', () => Promise.resolve());
      expect(currentScope()).toBeUndefined();
    });
  });

  it('is not inherited from an earlier request whose reply led to it', () => {
    asTenant(tenant(), () => beforeAdmission(() => expect(currentScope()).toBeUndefined()));
  });

  it('is separate from that of concurrent requests', async () => {
    const request = (): Promise<boolean> =>
      beforeAdmission(async () => {
        const scope = ofTenant();
        await Promise.resolve();
        admitInto(scope);
        await Promise.resolve();
        return currentScope() === scope;
      });
    expect(await Promise.all([request(), request(), request()])).toEqual([true, true, true]);
  });

  it('is set once, and only within requests', () => {
    beforeAdmission(() => {
      admitInto(ofTenant());
      expect(() => admitInto(ofTenant())).toThrow('no scope yet');
    });
    asTenant(tenant(), () => expect(() => admitInto(ofTenant())).toThrow('no scope yet'));
    expect(() => admitInto(ofTenant())).toThrow('no scope yet');
  });
});
