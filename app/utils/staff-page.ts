import type { RouteLocationNormalized } from 'vue-router'

type To = Pick<RouteLocationNormalized, 'meta'>

/** Pages of the clinic, which use the default layout, are for people who are signed in. */
export const isStaffPage = ({ meta }: To): boolean => meta.layout === undefined || meta.layout === 'default'
/** The sign-in page uses the clinic's texts too. */
export const hasStaffTexts = (to: To): boolean => isStaffPage(to) || to.meta.texts === 'staff'
