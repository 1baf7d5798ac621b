import { errors } from '../../platform/errors.ts'
import type { Rule } from '../../platform/rule.ts'
import { isLongerThan } from '../../platform/text/characters.ts'
import { isOneLine } from '../../platform/text/one-line.ts'
import { haveShortDescriptions, LONGEST_NAME } from '../name-rules.ts'
import type { ProductEdit } from './product.ts'

export const productsHaveAName: Rule<ProductEdit> = {
  says: 'Products have a name.',
  brokenBy: ({ name }) => name === '',
  error: () => errors.product_name_empty(),
}

export const productNamesAreShort: Rule<ProductEdit> = {
  says: `The names of products have at most ${LONGEST_NAME} characters.`,
  brokenBy: ({ name }) => name.length > LONGEST_NAME,
  error: () => errors.product_name_too_long({ longest: LONGEST_NAME }),
}

export const productNamesAreOneLine: Rule<ProductEdit> = {
  says: 'The names of products are one line.',
  brokenBy: ({ name }) => !isOneLine(name),
  error: ({ name }) => errors.bad_value({ name: 'name', value: name, right: 'it must be one line' }),
}

export const productsHaveADescription: Rule<ProductEdit> = {
  says: 'Products have a description.',
  brokenBy: ({ description }) => description === '',
  error: () => errors.product_description_empty(),
}

export const productDescriptionsAreShort: Rule<ProductEdit> = haveShortDescriptions('Products')

const LONGEST_TEMPLATE = 65_535

export const bugTemplatesAreShort: Rule<ProductEdit> = {
  says: `The bug templates of products have at most ${LONGEST_TEMPLATE} characters.`,
  brokenBy: ({ bug_template }) => isLongerThan(bug_template, LONGEST_TEMPLATE),
  error: ({ bug_template: value }) =>
    errors.bad_value({ name: 'bug_template', value, right: `it must have at most ${LONGEST_TEMPLATE} characters` }),
}

/** So that the sum of all votes for a bug is a number that both engines can store. */
export const MOST_VOTES = 10_000

const LIMITS = ['votesperuser', 'maxvotesperbug', 'votestoconfirm'] as const

export const voteLimitsAreSmallNumbers: Rule<ProductEdit> = {
  says: `The limits of votes in products (votesperuser, maxvotesperbug, votestoconfirm) are from 0 to ${MOST_VOTES}.`,
  brokenBy: (product) => wrongLimit(product) !== undefined,
  error: (product) => {
    const name = wrongLimit(product) ?? LIMITS[0]
    return errors.bad_value({ name, value: product[name], right: `it must be a number from 0 to ${MOST_VOTES}` })
  },
}

function wrongLimit(product: ProductEdit) {
  return LIMITS.find((name) => product[name] < 0 || product[name] > MOST_VOTES)
}

/** Checked in this order. The client gets the error of the first broken rule. */
export const productRules = [
  productsHaveAName,
  productNamesAreShort,
  productNamesAreOneLine,
  productsHaveADescription,
  productDescriptionsAreShort,
  bugTemplatesAreShort,
  voteLimitsAreSmallNumbers,
]
