import { mailPreferenceRoutes } from './preferences/mail-preference-routes.ts'
import { mailPreviewRoutes } from './preview/mail-preview-routes.ts'
import { mailServerRoutes } from './server/mail-server-routes.ts'
import { undeliveredRoutes } from './undelivered/undelivered-routes.ts'

export const mailRoutes = [
  ...mailPreferenceRoutes,
  ...mailPreviewRoutes,
  ...undeliveredRoutes,
  ...mailServerRoutes,
] as const
