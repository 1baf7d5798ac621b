import { mailPreferenceRoutes } from './preferences/mail-preference-routes.ts'
import { undeliveredRoutes } from './undelivered/undelivered-routes.ts'

export const mailRoutes = [...mailPreferenceRoutes, ...undeliveredRoutes] as const
