# frozen_string_literal: true

Gem::Specification.new do |gem|
  gem.name = 'deadweight-testing'
  gem.version = '0.1.0'
  gem.summary = 'Limits on memory in tests'
  gem.authors = ['The Deadweight authors']
  gem.licenses = ['MIT', 'Apache-2.0']
  gem.required_ruby_version = '>= 3.1'
  gem.homepage = 'https://github.com/deadweight/deadweight'
  gem.files = Dir['lib/**/*.rb', 'recorder/*.rb', 'README.md', 'LICENSE-*']
end
