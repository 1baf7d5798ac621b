import { bmoRoutes } from './incoming/bmo-routes.ts'
import { receiveRoute } from './incoming/receive-route.ts'
import { bugCodeRoutes } from './reading/bug-code-routes.ts'
import { codeSourceRoutes } from './sources/code-source-routes.ts'

export const codeRoutes = [...bugCodeRoutes, receiveRoute, ...bmoRoutes, ...codeSourceRoutes] as const
