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

const proseOf = (parts = []) =>
  parts
    .map(({ kind, text }) => (kind === 'inline-tag' ? code(text) : text))
    .join('')
    .trim()

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
  type?.type === 'intersection'
    ? type.types.flatMap(objectsOf)
    : type?.type === 'reflection' && !type.declaration.signatures
      ? [type.declaration]
      : []

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
    if (text === '' && fields.length === 0) return []
    // The fields have the types already.
    const head = fields.length > 0 ? parameterText(parameter).split(':')[0] : parameterText(parameter)
    return [item(code(head), [text, fields.join('\n')])]
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
  const calls = (declaration.signatures ?? []).map((signature) => {
    const { comment } = signature
    return item(code(signatureText('', signature)), [proseOf(comment?.summary), ...outcomes(comment)])
  })
  const indexes = (declaration.indexSignatures ?? []).map((signature) =>
    item(code(indexText(signature)), [proseOf(signature.comment?.summary)]),
  )
  return [...calls, ...members.flatMap(memberItem), ...indexes].join('\n')
}

/** Types of TypeScript that make a type of another. */
const UTILITIES = ['Error', 'Omit', 'Partial', 'Pick']

const isExported = (type) =>
  type.type !== 'reference' ||
  ((type.reflection !== undefined || UTILITIES.includes(type.name)) && (type.typeArguments ?? []).every(isExported))

/** The exported types that a declaration extends. The members of others are listed with its own. */
const supertypes = ({ extendedTypes = [], kind }) => {
  const names = extendedTypes.filter(isExported).map((type) => code(typeText(type)))
  if (names.length === 0 && kind === ReflectionKind.Class && extendedTypes.length > 0) names.push(code('Error'))
  return names.length > 0 ? `Extends ${names.join(', ')}.` : ''
}

function classBlocks(declaration) {
  const constructors = (declaration.children ?? []).filter(
    ({ kind, inheritedFrom }) => kind === ReflectionKind.Constructor && !inheritedFrom,
  )
  const signatures = constructors.flatMap((constructor) => constructor.signatures).filter(({ parameters }) => parameters?.length)
  return [
    proseOf(declaration.comment?.summary),
    supertypes(declaration),
    ...signatures.flatMap((signature) => {
      const text = signatureText(`new ${declaration.name}`, { parameters: signature.parameters }, { isBlock: true })
      return [declared(text), ...parametersOf(signature)]
    }),
    membersOf(declaration),
    ...outcomes(declaration.comment),
  ]
}

/** The documented members of the objects in an intersection. */
const documentedMembers = (type) =>
  type?.type === 'intersection'
    ? objectsOf(type)
        .flatMap(({ children = [] }) => children)
        .filter(({ comment, signatures }) => comment ?? signatures?.[0].comment)
    : []

function typeBlocks(declaration) {
  const { name, type, typeParameters, comment } = declaration
  const head = `${name}${typeParametersText(typeParameters)}`
  const isInterface = declaration.kind === ReflectionKind.Interface
  const isObject = type?.type === 'reflection' && !type.declaration.signatures
  const text = isInterface || isObject ? '' : declared(`type ${head} = ${blockText(type)}`.replace('=  ', '= ').replace('= \n', '=\n'))
  const generic = (isInterface || isObject) && typeParameters?.length ? code(head) : ''
  const described = isInterface ? declaration : isObject ? type.declaration : { children: documentedMembers(type) }
  return [text, generic, proseOf(comment?.summary), supertypes(declaration), membersOf(described), ...outcomes(comment)]
}

const isFunction = ({ kind }) => kind === ReflectionKind.Function
const GROUPS = [
  [
    'Functions',
    (one) => isFunction(one) || one.kind === ReflectionKind.Variable,
    (one) => (isFunction(one) ? functionBlocks(one) : variableBlocks(one)),
  ],
  ['Classes', ({ kind }) => kind === ReflectionKind.Class, classBlocks],
  ['Types', ({ kind }) => kind === ReflectionKind.Interface || kind === ReflectionKind.TypeAlias, typeBlocks],
]

const byName = (left, right) => (left.name < right.name ? -1 : 1)

const sentence = (names) => names.map(code).join(', ')

/** The names that an entry exports from the modules of others, as sentences that lead there. `own` are the exports of each entry. */
function exportedAgain(children, own) {
  const from = new Map()
  for (const child of children) from.set(child.home, [...(from.get(child.home) ?? []), child])
  return [...from].map(([home, list]) => {
    const link = `[${code(home.name)}](${home.page.slice('reference/'.length)})`
    const isWhole = list.length === own.get(home).length
    return isWhole ? `Exports everything that ${link} exports.` : `Exports ${sentence(list.map(({ name }) => name))} of ${link}.`
  })
}

const MOST_IMPORTED = 3

/** An import of an entry, with a few of its names. */
function importOf({ name }, own) {
  const isValue = ({ kind }) => kind === ReflectionKind.Function || kind === ReflectionKind.Variable
  const names = own
    .filter(isValue)
    .slice(0, MOST_IMPORTED)
    .map((one) => one.name)
  return names.length > 0 ? `import { ${names.join(', ')} } from '${name}'` : `import '${name}'`
}

function writePage(entry, own, again) {
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
  const text = [`# ${entry.name}`, `${entry.about} ${guide}`, fence('ts', importOf(entry, own)), ...again, ...sections]
    .filter(Boolean)
    .join('\n\n')
  return { page: { name: entry.page, text: `${text}\n` }, names }
}

/** The modules of a project by the paths of their files. */
const modulesByFile = (project) =>
  new Map(project.children.map((module) => [project.getSymbolIdFromReflection(module)?.packagePath, module]))

/**
 * The pages of a project, `[{name, text}]`, and `names`: the address of each export by its name, from one page of the reference
 * to another. `entries` are in the order of the pages; the `file` of each is relative to the package.
 */
export function referencePages(project, entries) {
  const modules = modulesByFile(project)
  const isReference = ({ kind }) => kind === ReflectionKind.Reference
  const childrenOf = (entry) => {
    const module = modules.get(entry.file)
    if (!module) throw new Error(`TypeDoc has no module ${entry.file} among ${[...modules.keys()].join(', ')}`)
    return module.children ?? []
  }
  const own = new Map(
    entries.map((entry) => [
      entry,
      childrenOf(entry)
        .filter((child) => !isReference(child))
        .sort(byName),
    ]),
  )
  const homes = new Map([...own].flatMap(([entry, children]) => children.map((child) => [child, entry])))
  const againOf = (entry) =>
    childrenOf(entry)
      .filter(isReference)
      .map((child) => ({ name: child.name, home: homes.get(child.getTargetReflectionDeep()) }))
  const written = entries.map((entry) => {
    const again = againOf(entry).filter(({ home }) => home && home !== entry)
    return writePage(entry, own.get(entry), exportedAgain(again, own))
  })
  return { entries, pages: written.map(({ page }) => page), names: Object.fromEntries(written.flatMap(({ names }) => names).reverse()) }
}
