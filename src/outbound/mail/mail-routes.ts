import { mailPreferenceRoutes } from './preferences/mail-preference-routes.ts'
import { mailPreviewRoutes } from './preview/mail-preview-routes.ts'
import { undeliveredRoutes } from './undelivered/undelivered-routes.ts'

export const mailRoutes = [...mailPreferenceRoutes, ...mailPreviewRoutes, ...undeliveredRoutes] as const
