// Roles in their colours: the prefixes of compact items, such as `user:` and `assistant:call`, and the values of `role`.
import { Decoration, MatchDecorator, ViewPlugin } from '@codemirror/view'

const ROLES = 'system|developer|user|assistant|tool'
const PATTERN = new RegExp(
  // An item: after its dash, or the bracket or comma of a list, with or without a quote.
  `((?:^\\s*-\\s+|[\\[,]\\s*|^\\s*(?=["']))["']?)(${ROLES})((?:\\([^)\\n]*\\))?(?::call\\b|:[\\w.-]+(?=[:#!]))?:?)(?=[:(\\s])` +
    `|(\\brole["']?\\s*:\\s*["']?)(${ROLES})\\b`,
  'g',
)

const marks = Object.fromEntries(
  ROLES.split('|').map((role) => [role, Decoration.mark({ class: `cm-role cm-role-${role === 'developer' ? 'system' : role}` })]),
)

const decorator = new MatchDecorator({
  regexp: PATTERN,
  decorate(add, from, to, match) {
    const start = from + (match[1] ?? match[4]).length
    add(start, to, marks[match[2] ?? match[5]])
  },
})

export const roles = ViewPlugin.fromClass(
  class {
    constructor(view) {
      this.decorations = decorator.createDeco(view)
    }

    update(update) {
      this.decorations = decorator.updateDeco(update, this.decorations)
    }
  },
  { decorations: (plugin) => plugin.decorations },
)
