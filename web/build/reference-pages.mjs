// Writes a Markdown page for each entry point of the package from TypeDoc's model of it.
import { ReflectionKind } from 'typedoc'
import { createAnchors } from './docs-anchors.mjs'
import { blockText, indexText, memberTexts, parameterText, signatureText, typeParametersText, typeText } from './reference-types.mjs'

/** A span of code in Markdown, whatever it contains. */
const code = (text) => {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length))
  const ticks = '`'.repeat(longest + 1)
  return longest > 0 ? `${ticks} ${text} ${ticks}` : `${ticks}${text}${ticks}`
}

const fence = (language, text) => `\`\`\`${language}\n${text.trim()}\n\`\`\``

/** A signature or a type, with links; see `docs.mjs`. */
const declared = (text) => fence('ts signature', text)

const proseOf = (parts = []) => parts.map(({ kind, text }) => (kind === 'inline-tag' ? code(text) : text)).join('').trim()

/** The Markdown of an item of a list, and of the blocks that belong to it. */
const item = (head, blocks) => {
  const [first, ...more] = blocks.filter(Boolean)
  const isText = first && !first.startsWith('- ')
  const text = [first ? `${head}${isText ? ':' : ''}\n${first}` : head, ...more].join('\n\n')
  return `- ${text.replaceAll('\n', '\n  ').replace(/ +$/gm, '')}`
}

const blocksOf = (comment, tag) => (comment?.blockTags ?? []).filter((block) => block.tag === tag)

const example = ({ content }) => {
  const text = proseOf(content)
  return text.includes('```') ? text : fence('ts', text)
}

/** What is written below a signature: how it ends, and examples. */
const outcomes = (comment) => {
  const returned = blocksOf(comment, '@returns').map(({ content }) => `**Returns** ${proseOf(content)}`)
  const thrown = blocksOf(comment, '@throws').map(({ content, typeAnnotation }) => {
    const text = typeAnnotation ? `${typeAnnotation.replace(/[{}]/g, '')} ${proseOf(content)}` : proseOf(content)
    return `**Throws** ${text.replace(/^\w+Error\b/, code)}`
  })
  const seen = blocksOf(comment, '@see').map(({ content }) => `**See** ${proseOf(content).replace(/^\w+/, code)}`)
  const examples = blocksOf(comment, '@example').map(example)
  return [...returned, ...thrown, ...seen, ...(examples.length > 0 ? ['**Example**', ...examples] : [])]
}

/** The objects that a type is written with. */
const objectsOf = (type) =>
  type?.type === 'intersection' ? type.types.flatMap(objectsOf) : type?.type === 'reflection' && !type.declaration.signatures ? [type.declaration] : []

/** The documented fields of a parameter. */
const fieldsOf = ({ type }) =>
  objectsOf(type)
    .flatMap(({ children = [] }) => children)
    .map((member) => [member, proseOf(member.comment?.summary)])
    .filter(([, text]) => text !== '')
    .map(([member, text]) => item(code(memberTexts(member)[0]), [text]))

function parametersOf(signature) {
  const items = (signature.parameters ?? []).flatMap((parameter) => {
    const text = proseOf(parameter.comment?.summary)
    const fields = fieldsOf(parameter)
    return text || fields.length > 0 ? [item(code(fields.length > 0 ? parameterText(parameter).split(':')[0] : parameterText(parameter)), [text, fields.join('\n')])] : []
  })
  return items.length > 0 ? ['**Parameters**', items.join('\n')] : []
}

const documented = (name, signature) => [
  declared(signatureText(name, signature, { isBlock: true })),
  proseOf(signature.comment?.summary),
  ...parametersOf(signature),
  ...outcomes(signature.comment),
]

const functionBlocks = ({ name, signatures }) => signatures.flatMap((signature) => documented(name, signature))

function variableBlocks({ name, type, comment }) {
  const { signatures } = type.declaration ?? {}
  if (signatures?.length > 0) return [...functionBlocks({ name, signatures }), proseOf(comment?.summary), ...outcomes(comment)]
  return [declared(`const ${name}: ${typeText(type)}`), proseOf(comment?.summary), ...outcomes(comment)]
}

/** A property or method, as an item of a list. */
function memberItem(member) {
  const texts = memberTexts(member)
  const comments = member.signatures?.map(({ comment }) => comment) ?? [member.comment ?? member.getSignature?.comment]
  return texts.map((text, at) => {
    const comment = comments[at]
    const parameters = member.signatures ? parametersOf(member.signatures[at]) : []
    return item(code(text), [proseOf(comment?.summary), ...parameters.slice(1), ...outcomes(comment)])
  })
}

/** What a member was inherited from has a page of its own, unless it is not exported. */
const isInherited = ({ inheritedFrom }) => inheritedFrom?.reflection !== undefined

const membersOf = (declaration) => {
  const members = (declaration.children ?? []).filter((member) => member.kind !== ReflectionKind.Constructor && !isInherited(member))
  const calls = (declaration.signatures ?? []).map((signature) => item(code(signatureText('', signature)), [proseOf(signature.comment?.summary), ...outcomes(signature.comment)]))
  const indexes = (declaration.indexSignatures ?? []).map((signature) => item(code(indexText(signature)), [proseOf(signature.comment?.summary)]))
  return [...calls, ...members.flatMap(memberItem), ...indexes].join('\n')
}

/** Types of TypeScript that make a type of another. */
const UTILITIES = ['Error', 'Omit', 'Partial', 'Pick']

const isExported = (type) => type.type !== 'reference' || ((type.reflection !== undefined || UTILITIES.includes(type.name)) && (type.typeArguments ?? []).every(isExported))

/** The exported types that a declaration extends. The members of others are listed with its own. */
const supertypes = ({ extendedTypes = [], kind }) => {
  const names = extendedTypes.filter(isExported).map((type) => code(typeText(type)))
  if (names.length === 0 && kind === ReflectionKind.Class && extendedTypes.length > 0) names.push(code('Error'))
  return names.length > 0 ? `Extends ${names.join(', ')}.` : ''
}

function classBlocks(declaration) {
  const constructors = (declaration.children ?? []).filter(({ kind, inheritedFrom }) => kind === ReflectionKind.Constructor && !inheritedFrom)
  const signatures = constructors.flatMap((constructor) => constructor.signatures).filter(({ parameters }) => parameters?.length)
  return [
    proseOf(declaration.comment?.summary),
    supertypes(declaration),
    ...signatures.flatMap((signature) => [declared(signatureText(`new ${declaration.name}`, { parameters: signature.parameters }, { isBlock: true })), ...parametersOf(signature)]),
    membersOf(declaration),
    ...outcomes(declaration.comment),
  ]
}

/** The documented members of the objects in an intersection. */
const documentedMembers = (type) =>
  type?.type === 'intersection' ? objectsOf(type).flatMap(({ children = [] }) => children).filter(({ comment, signatures }) => comment ?? signatures?.[0].comment) : []

function typeBlocks(declaration) {
  const { name, type, typeParameters, comment } = declaration
  const head = `${name}${typeParametersText(typeParameters)}`
  const isInterface = declaration.kind === ReflectionKind.Interface
  const isObject = type?.type === 'reflection' && !type.declaration.signatures
  const text = isInterface || isObject ? '' : declared(`type ${head} = ${blockText(type)}`.replace('=  ', '= ').replace('= \n', '=\n'))
  const generic = (isInterface || isObject) && typeParameters?.length ? code(head) : ''
  return [text, generic, proseOf(comment?.summary), supertypes(declaration), membersOf(isInterface ? declaration : isObject ? type.declaration : { children: documentedMembers(type) }), ...outcomes(comment)]
}

const isFunction = ({ kind }) => kind === ReflectionKind.Function
const GROUPS = [
  ['Functions', (one) => isFunction(one) || one.kind === ReflectionKind.Variable, (one) => (isFunction(one) ? functionBlocks(one) : variableBlocks(one))],
  ['Classes', ({ kind }) => kind === ReflectionKind.Class, classBlocks],
  ['Types', ({ kind }) => kind === ReflectionKind.Interface || kind === ReflectionKind.TypeAlias, typeBlocks],
]

const byName = (left, right) => (left.name < right.name ? -1 : 1)

const sentence = (names) => names.map(code).join(', ')

/** The names that an entry exports from the modules of others, as sentences that lead there. */
function exportedAgain(children, homes) {
  const from = new Map()
  for (const child of children) from.set(child.home, [...(from.get(child.home) ?? []), child])
  return [...from].map(([home, list]) => {
    const link = `[${code(home.name)}](${home.page.slice('reference/'.length)})`
    const isWhole = list.length === homes.get(home)
    return isWhole ? `Exports everything that ${link} exports.` : `Exports ${sentence(list.map(({ name }) => name))} of ${link}.`
  })
}

function writePage(entry, module, targets) {
  const own = [...targets.own.get(entry)].sort(byName)
  const anchorOf = createAnchors()
  anchorOf(entry.name)
  const names = []
  const sections = []
  for (const [title, belongs, blocks] of GROUPS) {
    const found = own.filter(belongs)
    if (found.length === 0) continue
    anchorOf(title)
    const links = found.map((declaration) => {
      const anchor = anchorOf(declaration.name)
      names.push([declaration.name, `${entry.page.slice('reference/'.length).replace(/\.md$/, '.html')}#${anchor}`])
      return `[${code(declaration.name)}](#${anchor})`
    })
    sections.push(`## ${title}`, links.join(', '), ...found.flatMap((declaration) => [`### ${declaration.name}`, ...blocks(declaration)]))
  }
  const guide = `The [guide](../${entry.guide}) shows how to use it. This page lists every export.`
  const again = exportedAgain(targets.again.get(entry), targets.counts)
  const from = own.some((one) => GROUPS[0][1](one) || GROUPS[1][1](one)) ? fence('ts', `import { ${importedOf(own)} } from '${entry.name}'`) : fence('ts', `import '${entry.name}'`)
  const text = [`# ${entry.name}`, `${entry.about} ${guide}`, from, ...again, ...sections].filter(Boolean).join('\n\n')
  return { page: { name: entry.page, text: `${text}\n` }, names }
}

const MOST_IMPORTED = 3

/** A few names for the example of an import. */
const importedOf = (own) => {
  const names = own.filter(isFunction).map(({ name }) => name)
  const all = names.length > 0 ? names : own.filter((one) => GROUPS[0][1](one) || GROUPS[1][1](one)).map(({ name }) => name)
  return all.slice(0, MOST_IMPORTED).join(', ')
}

/**
 * The pages of a project, `[{name, text}]`, and `names`: the address of each export by its name, from one page of the reference
 * to another. `entries` are in the order of the pages.
 */
export function referencePages(project, entries) {
  const modules = new Map(project.children.map((module) => [module.name, module]))
  const own = new Map()
  const again = new Map()
  const homeOf = new Map()
  const moduleOf = (entry) => {
    const path = entry.file.replaceAll('\\', '/').replace(/\.ts$/, '')
    const found = [...modules.values()].filter(({ name }) => path.endsWith(`/${name.replace(/\/index$/, '')}`) || path.endsWith(`/${name}/index`))
    if (found.length !== 1) throw new Error(`TypeDoc has no module for ${entry.name} among ${[...modules.keys()].join(', ')}`)
    return found[0]
  }
  const found = entries.map((entry) => [entry, moduleOf(entry)])
  for (const [entry, module] of found) {
    own.set(entry, (module.children ?? []).filter((child) => child.kind !== ReflectionKind.Reference))
    for (const child of own.get(entry)) homeOf.set(child, entry)
  }
  const counts = new Map(found.map(([entry]) => [entry, own.get(entry).length]))
  for (const [entry, module] of found) {
    const references = (module.children ?? []).filter(({ kind }) => kind === ReflectionKind.Reference)
    again.set(entry, references.map((child) => ({ name: child.name, home: homeOf.get(child.getTargetReflectionDeep()) })).filter(({ home }) => home && home !== entry))
  }
  const written = found.map(([entry, module]) => writePage(entry, module, { own, again, counts }))
  return { entries, pages: written.map(({ page }) => page), names: Object.fromEntries(written.flatMap(({ names }) => names).reverse()) }
}
