/**
 * Functions that libraries use on the patient's pages, and that Safari lacks before 15.4. The oldest supported browsers
 * are in package.json (`browserslist`); tests/e2e/patient/patient-old-browsers.test.ts looks for newer functions.
 */
export default defineNuxtPlugin({ name: 'old-browsers', enforce: 'pre' })

Object.hasOwn ??= (value, key) => Object.prototype.hasOwnProperty.call(value, key)
Array.prototype.at ??= function (index) {
  return this[index < 0 ? this.length + Math.ceil(index) : Math.trunc(index)]
}
