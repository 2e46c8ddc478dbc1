const words = (text: string): string[] => text.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []
const capital = (word: string): string => word[0].toUpperCase() + word.slice(1).toLowerCase()

export const pascalCase = (text: string): string => words(text).map(capital).join('')
export const snakeCase = (text: string): string => words(text).join('_').toLowerCase()
export const kebabCase = (text: string): string => words(text).join('-').toLowerCase()
export const camelCase = (text: string): string => {
  const pascal = pascalCase(text)
  return pascal.charAt(0).toLowerCase() + pascal.slice(1)
}
