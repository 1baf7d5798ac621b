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

/** Checked in this order. The client gets the error of the first broken rule. */
export const productRules = [
  productsHaveAName,
  productNamesAreShort,
  productNamesAreOneLine,
  productsHaveADescription,
  productDescriptionsAreShort,
  bugTemplatesAreShort,
]
