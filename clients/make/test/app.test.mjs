import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const app = read('../app.json');
const document = read('../../../docs/openapi.json');

test('the definition fits its schema, and the schema refuses a trigger without its id', () => {
  const validate = new Ajv2020({ allErrors: true, strict: false }).compile(read('../make-app.schema.json'));
  assert.ok(validate(app), JSON.stringify(validate.errors));
  const broken = structuredClone(app);
  delete broken.modules.watchDemandAlerts.communication.response.trigger.id;
  assert.ok(!validate(broken));
});

test('there are three triggers and three actions, on routes and parameters that the API has', () => {
  const modules = Object.values(app.modules);
  assert.equal(modules.filter((module) => module.type === 'trigger').length, 3);
  assert.equal(modules.filter((module) => module.type === 'action').length, 3);
  for (const { label, communication } of modules) {
    const pattern = communication.url.replaceAll(/\{\{(?:encodeURL\()?parameters\.(\w+)\)?\}\}/g, '{$1}');
    const operation = document.paths[`/api/v1${pattern}`]?.[communication.method.toLowerCase()];
    assert.ok(operation, `${label}: ${pattern}`);
    const known = operation.parameters?.map((parameter) => parameter.name) ?? [];
    for (const name of Object.keys(communication.qs ?? {})) assert.ok(known.includes(name), `${label}: ${name}`);
  }
});

test('every trigger answers items that have its id and its date', async () => {
  const value = (item, template) => item[/^\{\{item\.(\w+)\}\}$/.exec(template)[1]];
  for (const { communication } of Object.values(app.modules).filter((module) => module.type === 'trigger')) {
    const query = Object.entries(communication.qs)
      .filter(([, text]) => !text.startsWith('{{parameters'))
      .map(([name, text]) => [name, text.startsWith('{{') ? '2000-01-01T00:00:00.000Z' : text]);
    const reply = await fetch(`${process.env.BASE}${communication.url}?${new URLSearchParams(query)}`, {
      headers: { 'x-api-key': process.env.KEY },
    });
    assert.equal(reply.status, 200);
    for (const item of await reply.json()) {
      assert.equal(typeof value(item, communication.response.trigger.id), 'string');
      assert.ok(!Number.isNaN(Date.parse(value(item, communication.response.trigger.date))));
    }
  }
});
