// Writes the types and signatures of TypeDoc's model as TypeScript.

const list = (types, separator) => types.map((type) => typeText(type)).join(separator)

/** Puts a type in parentheses where an operator would take a part of it. */
const operand = (type) => {
  const isFunction = type.type === 'reflection' && type.declaration.signatures?.length > 0
  const isCompound =
    ['union', 'intersection', 'conditional', 'typeOperator', 'query'].includes(type.type) ||
    (type.type === 'unknown' && type.name.includes(' | '))
  return isFunction || isCompound ? `(${typeText(type)})` : typeText(type)
}

/** The name of a member; those of symbols have brackets in TypeDoc. */
const key = (name) => (/^[\w$]+$/.test(name) ? name : name.startsWith('[') ? name.replace('[', '[Symbol.') : `'${name}'`)

const isOptional = ({ flags, defaultValue }) => flags.isOptional || defaultValue !== undefined

/** Destructured parameters have no name in TypeScript. */
const parameterName = ({ name }) => (name === '__namedParameters' ? 'options' : name)

/** A parameter; `write` writes its type. */
export const parameterText = (parameter, write = typeText) =>
  `${parameter.flags.isRest ? '...' : ''}${parameterName(parameter)}${isOptional(parameter) ? '?' : ''}: ${write(parameter.type)}`

const typeParameterText = ({ name, type, default: usual }) =>
  `${name}${type ? ` extends ${typeText(type)}` : ''}${usual ? ` = ${typeText(usual)}` : ''}`

export const typeParametersText = (parameters) => (parameters?.length ? `<${parameters.map(typeParameterText).join(', ')}>` : '')

/** The longest line of a block. */
const LONGEST = 90

/** A type over several lines, if it is long and has objects; `indent` is the indentation of its first line. */
export function blockText(type, indent = '') {
  const line = typeText(type)
  if (!type || indent.length + line.length <= LONGEST) return line
  const inner = `${indent}  `
  if (type.type === 'intersection')
    return type.types
      .map((part) => blockText(part, indent))
      .join(' & ')
      .replaceAll('& \n', '&\n')
  if (type.type === 'union') return type.types.map((part) => `\n${inner}| ${blockText(part, inner)}`).join('')
  if (type.type !== 'reflection' || type.declaration.signatures?.length) return line
  const { children = [], indexSignatures = [] } = type.declaration
  const parts = [...children.flatMap((member) => memberTexts(member, (one) => blockText(one, inner))), ...indexSignatures.map(indexText)]
  return `{\n${parts.map((part) => `${inner}${part}\n`).join('')}${indent}}`
}

/** A signature; a long one has a line for each parameter when `isBlock` is true. */
export function signatureText(name, signature, { arrow = ': ', isBlock = false } = {}) {
  const parameters = (signature.parameters ?? []).map((parameter) => parameterText(parameter))
  const head = `${name}${typeParametersText(signature.typeParameters)}`
  const tail = signature.type ? `${arrow}${typeText(signature.type)}` : ''
  const line = `${head}(${parameters.join(', ')})${tail}`
  if (!isBlock || line.length <= LONGEST || parameters.length === 0) return line
  const lines = signature.parameters.map((parameter) => `  ${parameterText(parameter, (type) => blockText(type, '  '))},\n`)
  return `${head}(\n${lines.join('')})${signature.type ? `${arrow}${blockText(signature.type)}` : ''}`
}

/** A property or the methods of one name, without documentation; `write` writes the type of a property. */
export function memberTexts(member, write = typeText) {
  const name = `${member.flags.isReadonly ? 'readonly ' : ''}${key(member.name)}${isOptional(member) ? '?' : ''}`
  if (member.signatures) return member.signatures.map((signature) => signatureText(name, signature))
  if (member.getSignature) return [`${member.setSignature ? '' : 'readonly '}${key(member.name)}: ${typeText(member.getSignature.type)}`]
  return [`${name}: ${write(member.type)}`]
}

export const indexText = ({ parameters, type }) =>
  `[${parameters.map((parameter) => parameterText(parameter)).join(', ')}]: ${typeText(type)}`

function objectText({ signatures = [], indexSignatures = [], children = [] }) {
  if (signatures.length === 1 && children.length === 0) return signatureText('', signatures[0], { arrow: ' => ' })
  const parts = [
    ...signatures.map((signature) => signatureText('', signature)),
    ...children.flatMap((member) => memberTexts(member)),
    ...indexSignatures.map((signature) => indexText(signature)),
  ]
  return parts.length === 0 ? '{}' : `{ ${parts.join('; ')} }`
}

const WRITERS = {
  array: ({ elementType }) => `${operand(elementType)}[]`,
  conditional: (type) =>
    `${operand(type.checkType)} extends ${operand(type.extendsType)} ? ${typeText(type.trueType)} : ${typeText(type.falseType)}`,
  indexedAccess: ({ objectType, indexType }) => `${operand(objectType)}[${typeText(indexType)}]`,
  inferred: ({ name }) => `infer ${name}`,
  intersection: ({ types }) => types.map(operand).join(' & '),
  intrinsic: ({ name }) => name,
  literal: ({ value }) => (typeof value === 'string' ? `'${value}'` : String(value)),
  mapped: (type) =>
    `{ [${type.parameter} in ${typeText(type.parameterType)}]${type.optionalModifier === '+' ? '?' : ''}: ${typeText(type.templateType)} }`,
  namedTupleMember: ({ name, isOptional, element }) => `${name}${isOptional ? '?' : ''}: ${typeText(element)}`,
  optional: ({ elementType }) => `${operand(elementType)}?`,
  predicate: ({ asserts, name, targetType }) => `${asserts ? 'asserts ' : ''}${name}${targetType ? ` is ${typeText(targetType)}` : ''}`,
  query: ({ queryType }) => `typeof ${typeText(queryType)}`,
  // Types of TypeScript may be in a namespace, such as `WebAssembly.Module`.
  reference: ({ name, qualifiedName, package: from, typeArguments }) =>
    `${from === 'typescript' ? qualifiedName : name}${typeArguments?.length ? `<${list(typeArguments, ', ')}>` : ''}`,
  reflection: ({ declaration }) => objectText(declaration),
  rest: ({ elementType }) => `...${operand(elementType)}`,
  templateLiteral: ({ head, tail }) => `\`${head}${tail.map(([type, text]) => `\${${typeText(type)}}${text}`).join('')}\``,
  tuple: ({ elements }) => `[${list(elements ?? [], ', ')}]`,
  typeOperator: ({ operator, target }) => `${operator} ${operand(target)}`,
  unknown: ({ name }) => name,
  union: ({ types }) =>
    types
      .map((type) => (['intersection', 'query', 'typeOperator', 'union', 'unknown'].includes(type.type) ? typeText(type) : operand(type)))
      .join(' | '),
}

/** A type in one line. */
export function typeText(type) {
  if (!type) return 'unknown'
  const write = WRITERS[type.type]
  if (!write) throw new Error(`the API reference cannot write a type of the kind ${type.type}: ${type}`)
  return write(type)
}
