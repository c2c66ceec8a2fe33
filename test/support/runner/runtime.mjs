import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';

const require = createRequire(import.meta.url);
/** What `@jest/globals` resolves to. */
const GLOBALS_URL = 'jest:globals';
/** How the modules of the project are compiled: to ES modules, without counting what they cover. */
const TRANSFORM = {
  isInternalModule: false,
  supportsDynamicImport: true,
  supportsExportNamespaceFrom: true,
  supportsStaticESM: true,
  supportsTopLevelAwait: true,
  collectCoverage: false,
  collectCoverageFrom: [],
  coverageProvider: 'v8',
};

/** The runtimes of the files that this process has run, and runs last. */
const runtimes = [];
/** The modules of the project are loaded anew for every file: its place among the files of this process is part of their URLs. */
const SOURCE = /\.ts\?file=(\d+)$/;

registerHooks({
  resolve(specifier, context, next) {
    const [, file] = SOURCE.exec(context.parentURL ?? '') ?? [];
    if (file === undefined) return next(specifier, context);
    if (specifier === '@jest/globals') return { url: `${GLOBALS_URL}?file=${file}`, shortCircuit: true };
    if (!specifier.startsWith('.') && !specifier.startsWith('file:')) return next(specifier, context);
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    return url.pathname.endsWith('.ts')
      ? { url: `${url.href}?file=${file}`, shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    const [, file] = /\?file=(\d+)$/.exec(url) ?? [];
    if (file === undefined) return next(url, context);
    const runtime = runtimes[file];
    const source = url.startsWith(GLOBALS_URL) ? runtime.globalsModule() : runtime.compiled(url);
    return { format: 'module', source, shortCircuit: true };
  },
});

/** Has Node itself load the modules of a test file (docs/decisions/0009-node-loads-the-modules-of-tests.md). */
class ProcessRuntime extends Runtime {
  constructor(config, environment, resolver, transformer, ...others) {
    super(config, environment, resolver, transformer, ...others);
    this.transformer = transformer;
    this.file = runtimes.push(this) - 1;
  }

  /** Source of a module that exports what Jest gives to the test file. */
  globalsModule() {
    const name = `${GLOBALS_URL}?file=${this.file}`;
    const globals = this.requireModuleOrMock(import.meta.filename, '@jest/globals');
    globalThis[Symbol.for(name)] = globals;
    return `export const { ${Object.keys(globals).join(', ')} } = globalThis[Symbol.for('${name}')];`;
  }

  /** A module of the project as JavaScript, from Jest's cache if it is there. */
  compiled(url) {
    const { code, sourceMapPath } = this.transformer.transform(fileURLToPath(url), TRANSFORM);
    if (sourceMapPath) this.getSourceMaps().set(url, sourceMapPath);
    return code;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?file=${this.file}`);
  }

  /** Loads the framework of the tests, which keeps those of one file. */
  requireInternalModule(path) {
    for (const loaded of Object.keys(require.cache)) if (loaded.includes('jest-circus')) delete require.cache[loaded];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    return require(path);
  }

  setMock() {
    throw new Error('modules cannot be mocked: spy on what they export');
  }

  setModuleMock() {
    this.setMock();
  }

  /** Leaves the process as it is: Jest would replace this function of a context's own `process`. */
  installGetBuiltinModule() {}
}

export { ProcessRuntime as 'module.exports' };
