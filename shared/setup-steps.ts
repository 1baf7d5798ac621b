/** The steps of the set-up assistant, in their order. */
export const SETUP_STEPS = ['administrator', 'name', 'mail', 'joining', 'product', 'people'] as const

export type SetupStep = (typeof SETUP_STEPS)[number]
