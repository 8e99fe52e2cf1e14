# frozen_string_literal: true

require_relative '../lib/deadweight/rspec'
require_relative '../test/programs'

RSpec.describe 'limits on memory' do
  include Deadweight::RSpecExpectations

  page = Array.new(80) { |line| "line #{line} of a page that is long enough" }.join("\n").freeze

  it 'lets be what is healthy' do
    expect { Programs.healthy(20_000) }.to hold_at_most(bytes: '4 MB', findings: [])
    expect { 50.times { Programs.count_lines(page) } }.to make_at_most(operations: 50, bytes_per_operation: 1000)
    expect(expect_held(bytes: '4 MB') { Programs.healthy(20_000) }.bytes).to be > 800_000
  end

  it 'names the finding, its place and its fix' do
    failed = raise_error(RSpec::Expectations::ExpectationNotMetError) do |error|
      expect(error.message).to match(/D01 at Programs::Visit\.city: .*3 values/).and match(/fix: /)
    end
    expect { expect { Programs.wasteful(20_000) }.to hold_at_most(findings: []) }.to failed
    expect { expect_held(findings: []) { Programs.wasteful(20_000) } }.to failed
  end

  it 'names the line that makes too much' do
    wasteful = -> { 50.times { Programs.count_lines_wastefully(page) } }
    expect do
      expect(&wasteful).to make_at_most(operations: 50, bytes_per_operation: 1000)
    end.to raise_error(RSpec::Expectations::ExpectationNotMetError, /programs\.rb:\d+/)
    expect do
      expect_churn(operations: 50, bytes_per_operation: 1000, &wasteful)
    end.to raise_error(RSpec::Expectations::ExpectationNotMetError, /what the block makes breaks/)
  end
end
