/** `/me` is also an address of its own. */
export { default } from '../api/v1/me.get.ts'
