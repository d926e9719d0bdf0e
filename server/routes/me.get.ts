/** `/me` is also available at this path. */
export { default } from '../api/v1/me.get.ts'
