# frozen_string_literal: true

require 'minitest/autorun'
require_relative '../lib/deadweight/minitest'
require_relative 'programs'

class MemoryTest < Minitest::Test
  include Deadweight::MinitestAssertions

  PAGE = Array.new(80) { |line| "line #{line} of a page that is long enough" }.join("\n").freeze

  def test_what_is_healthy_holds
    measured = expect_held(bytes: '4 MB', findings: []) { Programs.healthy(20_000) }
    assert_equal 20_000, measured.value.size
    assert_includes 800_000..2_000_000, measured.bytes
  end

  def test_a_broken_limit_names_the_finding_its_place_and_its_fix
    error = assert_raises(Minitest::Assertion) { expect_held(findings: []) { Programs.wasteful(20_000) } }
    lines = error.message.lines(chomp: true)
    assert_equal 'what the block holds breaks a limit', lines[0]
    assert_match(/D01 is not allowed here: [\d.]+ [kM]B of dead weight/, error.message)
    assert_match(/D01 at Programs::Visit\.city: .*3 values/, error.message)
    assert_match(/fix: /, error.message)
  end

  def test_bytes_of_records
    expect_held(records: 20_000, bytes_per_record: 80) { Programs.healthy(20_000) }
    error = assert_raises(Minitest::Assertion) do
      expect_held(records: 20_000, bytes_per_record: 80) { Programs.wasteful(20_000) }
    end
    assert_match(/held bytes: .* more than 1\.6 MB/, error.message)
    assert_match(/D01 at/, error.message)
  end

  def test_what_is_made
    wasteful = assert_raises(Minitest::Assertion) do
      expect_churn(operations: 50, bytes_per_operation: 1000) { 50.times { Programs.count_lines_wastefully(PAGE) } }
    end
    assert_match(/what the block makes breaks/, wasteful.message)
    assert_match(/programs\.rb:\d+/, wasteful.message)
    measured = expect_churn(operations: 50, bytes_per_operation: 1000, findings: []) { 50.times { Programs.count_lines(PAGE) } }
    # What an earlier block made is forgotten.
    assert_operator measured.bytes, :<, 20_000
  end

  def test_held_after_made_is_held_alone
    expect_churn(bytes: '1 MB') { 'a'.dup }
    measured = expect_held(bytes: '4 MB') { Programs.healthy(1000) }
    assert_nil measured.bytes_per_operation
  end

  def test_limits_are_checked_before_the_block_runs
    [{}, { byte: 1 }, { bytes: -1 }, { findings: 'D01' }, { dead_share: 2 }, { bytes: 1, records: 1, bytes_per_record: 1 }].each do |limits|
      assert_raises(ArgumentError) { expect_held(**limits) { flunk 'it ran' } }
    end
    assert_raises(ArgumentError) { expect_churn(operations: 0, bytes: 1) { flunk 'it ran' } }
    error = assert_raises(RuntimeError) { expect_held(findings: ['Z99']) { 1 } }
    assert_match(/there is no rule "Z99"/, error.message)
  end

  def test_the_blocks_own_error_comes_through_and_the_next_measurement_works
    assert_raises(IndexError) { expect_held(bytes: 1) { raise IndexError } }
    assert_raises(IndexError) { expect_churn(bytes: 1) { raise IndexError } }
    expect_held(bytes: '1 MB') { nil }
  end

  def test_one_at_a_time
    error = assert_raises(RuntimeError) { expect_held(bytes: '1 MB') { expect_held(bytes: '1 MB') { nil } } }
    assert_match(/another measurement is under way/, error.message)
  end

  def test_a_missing_binary_is_told
    before = ENV.fetch('DEADWEIGHT', nil)
    ENV['DEADWEIGHT'] = '/nowhere/deadweight'
    error = assert_raises(RuntimeError) { expect_held(bytes: '1 MB') { nil } }
    assert_match(/could not be started.*DEADWEIGHT/, error.message)
  ensure
    ENV['DEADWEIGHT'] = before
  end
end
