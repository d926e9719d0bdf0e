import type { RouteLocationNormalized } from 'vue-router'

type To = Pick<RouteLocationNormalized, 'meta'>

/** The clinic's pages (those of the default layout) are for people who are logged in. */
export const isStaffPage = ({ meta }: To): boolean => meta.layout === undefined || meta.layout === 'default'
/** The page of the log-in has the clinic's texts too. */
export const hasStaffTexts = (to: To): boolean => isStaffPage(to) || to.meta.texts === 'staff'
