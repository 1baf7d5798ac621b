import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import ts from 'typescript'

const CALLS = 'client/calls.ts'

/**
 * Writes the typed client as a package: one script, and types that need nothing of the server. Its own files have few types; those of all
 * calls are printed as the compiler derives them, so that the package has exactly what the pages are checked against.
 */
export async function writeClient(root: string, folder: string) {
  rmSync(folder, { recursive: true, force: true })
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: 'lacewing-client',
    version,
    description: 'A typed client of the REST API of Lacewing and Bugzilla 5.',
    license,
    type: 'module',
    engines: { node: '>=20.3' },
    bin: { lacewing: './lacewing.js' },
    exports: { '.': { types: './client/index.d.ts', default: './index.js' } },
  }
  write('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`)
  write('README.md', readFileSync(join(root, 'client/README.md'), 'utf8'))
  write('docs/command-line.md', commandLinePage(root))
  write('LICENSE', readFileSync(join(root, 'LICENSE'), 'utf8'))
  await build({
    entryPoints: [join(root, 'client/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  })
  await writeCommand(root, folder)
  for (const [path, text] of typesOf(root)) write(path, text)
}

/** The page about the command. What it links to is not in the package. */
function commandLinePage(root: string): string {
  const text = readFileSync(join(root, 'docs/command-line.md'), 'utf8')
  return text.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]*\)/g, '$1')
}

/** The commands for people as one script, with the packages that read command lines and speak MCP. */
async function writeCommand(root: string, folder: string) {
  const outfile = join(folder, 'lacewing.js')
  await build({
    entryPoints: [join(root, 'cli/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.3',
    banner: { js: COMMAND_BANNER },
    logLevel: 'warning',
  })
  chmodSync(outfile, 0o755)
  for (const [name, file] of LICENCES)
    cpSync(join(root, 'node_modules', name, 'LICENSE'), join(folder, `LICENSE-OF-${file}`))
}

/** Of the packages in the command. */
const LICENCES = [
  ['commander', 'COMMANDER'],
  ['@modelcontextprotocol/server', 'MCP'],
  ['zod', 'ZOD'],
] as const

// Commander is in CommonJS, and needs this function.
const COMMAND_BANNER = `#!/usr/bin/env node
import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`

function typesOf(root: string): Map<string, string> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram([join(root, 'client/index.ts')], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    outDir: '/types',
    rootDir: root,
  })
  const types = new Map<string, string>()
  for (const source of program.getSourceFiles()) {
    const path = relative(root, source.fileName)
    if (!/^(client\/|shared\/rest-address)/.test(path)) continue
    if (path === CALLS) types.set('client/calls.d.ts', printedTypes(program, source))
    else
      program.emit(
        source,
        (file, text) => types.set(relative('/types', file), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'")),
        undefined,
        true,
      )
  }
  return types
}

/** Every exported type of the file, written out as far as it goes. */
function printedTypes(program: ts.Program, source: ts.SourceFile): string {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${CALLS} exports nothing`)
  const printed = (type: ts.Type) => {
    const text = checker.typeToString(
      type,
      undefined,
      ts.TypeFormatFlags.NoTruncation |
        ts.TypeFormatFlags.InTypeAlias |
        ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType,
    )
    if (/\bimport\(|\.\.\. \d+ more/.test(text)) throw new Error(`A type cannot be written out: ${text.slice(0, 200)}`)
    return text
  }
  const lines = checker.getExportsOfModule(module).map((symbol) => {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    if (type.isUnion() || checker.getPropertiesOfType(type).length === 0)
      return `export type ${symbol.name} = ${printed(type)}`
    const members = checker
      .getPropertiesOfType(type)
      .map((member) => `  '${member.name}': ${printed(checker.getTypeOfSymbol(member))}`)
    return `export type ${symbol.name} = {\n${members.join('\n')}\n}`
  })
  return `${lines.join('\n\n')}\n`
}
