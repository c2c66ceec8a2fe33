import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { PROJECT_ROOT } from '../../config/paths.js';

/** What keeps a statement to a tenant: a comparison with his organization or workspace; of the organizations, the id. */
const PREDICATE = new RegExp(
  [
    String.raw`(?:\b\w+\.)?\b(?:organization_id|workspace_id) = (\$\d+)`,
    String.raw`\bworkspaces\.id = (\$\d+)`,
    String.raw`(?<=\b(?:FROM|UPDATE) organizations\b[^;]* WHERE )id = (\$\d+)`,
  ].join('|'),
  'g',
);

export function namesTenant(sql: string): boolean {
  return sql.search(PREDICATE) >= 0;
}

/** The statement for everybody's rows; its parameters stay used, so that it still runs. */
export function withoutTenant(sql: string): string {
  return sql.replace(PREDICATE, (_, ...captured: unknown[]) => {
    const parameter = captured.find((part) => typeof part === 'string' && /^\$\d+$/.test(part)) as string;
    return `${parameter}::uuid IS NOT NULL`;
  });
}

/** A text in the source that a statement naming a tenant is made from. */
export interface SourceText {
  /** File, and the function or constant that holds it. */
  readonly place: string;
  /** Matches statements that contain it, whatever its placeholders hold. */
  readonly pattern: RegExp;
}

/** Every text in the source that names a tenant. */
export function textsNamingTenants(): SourceText[] {
  const root = join(PROJECT_ROOT, 'src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'),
  );
  return files.flatMap((file) => textsOf(file, readFileSync(join(root, file), 'utf8')));
}

function textsOf(file: string, source: string): SourceText[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: SourceText[] = [];
  const visit = (node: ts.Node): void => {
    const parts = partsOf(node);
    if (parts !== undefined && namesTenant(parts.join(' '))) {
      const pattern = new RegExp(
        parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('[^]*'),
      );
      found.push({ place: `${file} ${holderOf(node)}`, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The fixed parts of a string or template. */
function partsOf(node: ts.Node): string[] | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return [node.text];
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map((span) => span.literal.text)];
}

/** The name of the outermost declaration around a node. */
function holderOf(node: ts.Node): string {
  let name = '';
  for (let around = node.parent; !ts.isSourceFile(around); around = around.parent) {
    if ((ts.isFunctionDeclaration(around) || ts.isVariableDeclaration(around)) && around.name)
      name = around.name.getText();
  }
  return name;
}
